//! Certificates: the codes of what is refused.

error_codes! {
    /// Why a table has no certificate.
    CertifyCode;
    /// A table that is too large to certify.
    TableTooLarge = "ISO-CERTIFY-001", "Write the coefficients with fewer different roots, or take fewer stages.";
}
