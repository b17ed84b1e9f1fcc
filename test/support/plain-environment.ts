/** What a shell may hold that changes what is printed. */
const CHANGES_OUTPUT = /^(FORCE_COLOR|NO_COLOR|CLICOLOR(_FORCE)?|COLORTERM|LANGUAGE|LC_.*|SECSCTL_.*)$/

/** Makes the environment of this process, and of those that it starts, the same on every machine. */
export function plainEnvironment(): void {
  for (const name of Object.keys(process.env)) if (CHANGES_OUTPUT.test(name)) delete process.env[name]
  Object.assign(process.env, { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC' })
}
