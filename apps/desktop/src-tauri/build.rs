//! Names the app's own commands, so that each needs a permission in a capability. Without that list every window could call them.

const COMMANDS: &[&str] = &["attend", "call", "follow", "unfollow", "settings", "change_settings", "zoom"];

fn main() {
    let manifest = tauri_build::AppManifest::new().commands(COMMANDS);
    if let Err(error) = tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest)) {
        eprintln!("{error:#}");
        std::process::exit(1);
    }
}
