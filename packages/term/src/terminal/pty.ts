// The pseudo-terminals of this system, from one place.
export { type IPty, spawn } from "@lydell/node-pty";
