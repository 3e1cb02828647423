//! Problem files.
use crate::support::shipped;

#[test]
fn families_are_read_off_the_right_sides() {
    for (name, rules) in [
        ("rigid_body", "m=m^2"),
        ("damped_oscillator", "q=p^1; p=q^3,p^2"),
        ("pendulum", "q=v^1; v=q,v^2; p=q,v^2"),
        ("lotka_volterra", "x=x^2"),
    ] {
        assert_eq!(shipped(name).family.rules(), rules, "{name}");
    }
}
