// Git as it is for nobody in particular: neither the person's configuration nor, in one of git's own hooks, the repository around us.

/** The environment for git in a test; what it keeps at home goes there. */
export function plainGit(home: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_") && name !== "XDG_CONFIG_HOME");
  return { ...Object.fromEntries(others), HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
}
