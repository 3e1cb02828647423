//! A derived system: equations first, everything else when it is asked for.

use std::sync::Arc;

use isotrope_derive::{self as derivation, Analysis, Conservation, DistributionReport, Integrals};
use isotrope_kernel::stepper::Field;
use isotrope_model::codes::{DeriveCode, RunCode};
use isotrope_study::run;
use isotrope_study::scene::Scene;

use crate::failure::Failure;
use crate::host::Host;
use crate::model::Model;

/// A model with its equations of motion.
///
/// Everything else is computed once, when it is first asked for: kinds of constraints
/// and conserved quantities by runs, the Dirac structure and reduced equations by reports.
#[derive(Debug, Clone)]
pub struct System {
    pub(crate) host: Host,
    pub(crate) model: Model,
    pub(crate) derived: derivation::System,
    asked: Integrals,
    conserved: Option<Conserved>,
    analysis: Option<Arc<Analysis>>,
    field: Option<Arc<Field>>,
    scene: Option<Arc<Scene>>,
}

impl System {
    /// Derives what a model, or a member of its family, says.
    pub(crate) fn derive(
        model: Model,
        parsed: isotrope_model::Model,
        host: &Host,
    ) -> Result<Self, Failure> {
        let derived = host.during("deriving the equations of motion", || {
            let budget = &mut host.budget(host.limits.derive);
            derivation::derive(parsed, budget)
                .map_err(|errors| Failure::of_derivation(model.text(), &errors))
        })?;
        let mut model = model;
        if derived.mechanics.chain().is_some() {
            // What is usual for the motion on the phase space.
            model.parsed.table = derived.model.table;
        }
        Ok(Self {
            host: host.clone(),
            model,
            derived,
            asked: Integrals::default(),
            conserved: None,
            analysis: None,
            field: None,
            scene: None,
        })
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The equations, as the rooms below know them.
    #[must_use]
    pub fn equations(&self) -> &derivation::System {
        &self.derived
    }

    /// What surrounds its computations.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Surrounds what it computes from now on with something else: another flag, another watcher.
    pub fn surround(&mut self, host: &Host) {
        self.host = host.clone();
    }

    /// The name that the model gives itself.
    #[must_use]
    pub fn name(&self) -> &str {
        self.model.name()
    }

    /// Turns a system with a magnetic 2-form into that of the Lagrangian L − θ, with canonical
    /// momenta; false if there is none.
    pub(crate) fn make_canonical(&mut self) -> bool {
        let changed = self.derived.make_canonical();
        if changed {
            (self.conserved, self.analysis) = (None, None);
            (self.field, self.scene) = (None, None);
        }
        changed
    }

    fn conserved(&mut self) -> Result<&Conserved, Failure> {
        match &mut self.conserved {
            Some(known) => Ok(known),
            none => Ok(none.insert(Conserved::find(&self.host, &mut self.derived, self.asked)?)),
        }
    }

    /// Asks for integrals beyond those that are always sought: what is found from now on contains them.
    pub fn seek(&mut self, asked: Integrals) -> Result<(), Failure> {
        if self.asked != asked {
            self.asked = asked;
            (self.conserved, self.analysis, self.field) = (None, None, None);
        }
        if asked == Integrals::default() {
            return Ok(());
        }
        let open = self.conserved()?.conservation.searched.iter().find(|search| !search.complete);
        let Some(search) = open.cloned() else { return Ok(()) };
        let message = format!(
            "{} have {} unknown coefficients, which is too much to search",
            search.ansatz, search.unknowns
        );
        let hint = "ask for a lower degree".to_owned();
        Err(Failure::plain(DeriveCode::SearchTooLarge, message, hint))
    }

    /// Lets runs watch everything that is conserved.
    pub fn watch_all(&mut self) -> Result<(), Failure> {
        if self.conserved.is_none() {
            self.field = None;
            self.conserved()?;
        }
        Ok(())
    }

    /// What it conserves.
    pub fn conservation(&mut self) -> Result<&Conservation, Failure> {
        Ok(&self.conserved()?.conservation)
    }

    /// Its geometry: kinds of constraints, Dirac structure, conserved quantities, reduction,
    /// Hamiltonian.
    pub fn analysis(&mut self) -> Result<Arc<Analysis>, Failure> {
        if let Some(known) = &self.analysis {
            return Ok(Arc::clone(known));
        }
        let Conserved { distribution, conservation } = self.conserved()?.clone();
        let (host, derived) = (&self.host, &mut self.derived);
        let analysis = host.during("examining the geometry", || {
            let budget = || host.budget(host.limits.analyse);
            let dirac = derivation::dirac(derived, &distribution, &mut budget());
            let reduction =
                derivation::reduce(derived, &distribution, &conservation, &mut budget());
            let hamiltonian = derivation::hamiltonian(derived, &mut budget());
            Ok(Arc::new(Analysis { distribution, dirac, conservation, reduction, hamiltonian }))
        })?;
        self.analysis = Some(Arc::clone(&analysis));
        Ok(analysis)
    }

    /// What runs watch. A search for everything that is conserved takes much longer, and a run does not need the reasons.
    fn watched(&mut self) -> Result<Conservation, Failure> {
        if self.conserved.is_none() {
            let (host, derived) = (&self.host, &mut self.derived);
            let found = host.during("looking for momenta", || {
                Ok(derivation::watched(derived, &mut host.budget(host.limits.analyse)))
            })?;
            if let Some(found) = found {
                return Ok(found);
            }
        }
        Ok(self.conservation()?.clone())
    }

    /// The system with everything that is measured along its trajectories.
    pub(crate) fn field(&mut self) -> Result<Arc<Field>, Failure> {
        if let Some(field) = &self.field {
            return Ok(Arc::clone(field));
        }
        self.model.begins()?;
        self.determined()?;
        let conservation = self.watched()?;
        let field = self.host.quietly("preparing the equations", || {
            run::field(&self.derived, &conservation).map_err(|error| {
                let hint = "see docs/run.md".to_owned();
                Failure::because(&error, (RunCode::NotPrepared, &error, hint))
            })
        })?;
        let field = Arc::new(field);
        self.field = Some(Arc::clone(&field));
        Ok(field)
    }

    /// Is the motion determined? A singular Lagrangian may leave velocities free.
    pub(crate) fn determined(&self) -> Result<(), Failure> {
        let free = self.derived.mechanics.chain().map_or(&[][..], |chain| &chain.free);
        if free.is_empty() {
            return Ok(());
        }
        let names: Vec<String> =
            free.iter().map(|&symbol| self.derived.model.pool.label(symbol)).collect();
        let message = format!(
            "the Lagrangian is singular and leaves {} free: {}",
            if free.len() == 1 { "a function of time" } else { "functions of time" },
            names.join(", ")
        );
        let hint = "choose a gauge, [gauge_fix] with a coordinate and its value, such as z = \"0\"; \
                    `isotrope derive` prints the gauge directions";
        Err(Failure::hinted(RunCode::GaugeNotFixed, message, hint))
    }

    /// What a picture of the system shows: declared under `[scene]`, or guessed from names,
    /// definitions and constraints.
    pub fn scene(&mut self) -> Result<Arc<Scene>, Failure> {
        if let Some(scene) = &self.scene {
            return Ok(Arc::clone(scene));
        }
        let field = self.field()?;
        let derived = &mut self.derived;
        let scene = self.host.during("looking for what to draw", || {
            Ok(Arc::new(Scene::of(derived, &field.rotations)))
        })?;
        self.scene = Some(Arc::clone(&scene));
        Ok(scene)
    }

    /// Warns if the initial values violate the constraints.
    pub(crate) fn warn_inconsistent(&self, field: &Field) {
        let found = self.host.stop().during(|| run::initial_residuals(&self.derived, field));
        crate::studies::warn_inconsistent(&self.host, found.unwrap_or_default());
    }
}

/// What runs watch.
#[derive(Debug, Clone)]
struct Conserved {
    distribution: DistributionReport,
    conservation: Conservation,
}

impl Conserved {
    fn find(
        host: &Host,
        derived: &mut derivation::System,
        asked: Integrals,
    ) -> Result<Self, Failure> {
        host.during("looking for what is conserved", || {
            let budget = || host.budget(host.limits.analyse);
            let distribution = derivation::classify(derived, &mut budget());
            // Who asks for more waits longer.
            let more = if asked == Integrals::default() { 1 } else { 20 };
            let budget = || host.budget(host.limits.analyse.saturating_mul(more));
            let conservation = derivation::conserve(derived, &distribution, asked, &mut budget());
            Ok(Self { distribution, conservation })
        })
    }
}
