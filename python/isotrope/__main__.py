"""``python -m isotrope`` is the command."""

import sys

from isotrope import main

sys.exit(main())
