import { type Static, Type } from 'typebox'

const Id = (description: string) =>
  Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 4096 }), Type.Integer()], { description }))

const SWITCHES = ['online', 'offline', 'local', 'remote'] as const

/** What a step `set` does at the simulator: one of its members, and `value` with `variable`. */
export const SimulatorChange = Type.Object(
  {
    variable: Id('A variable or constant: id or name; `value` is its new value.'),
    value: Type.Optional(Type.Unknown({ description: 'The new value of `variable`.' })),
    alarm: Id('An alarm that is set: ALID, or the beginning of its text.'),
    cleared: Id('An alarm that is cleared: ALID, or the beginning of its text.'),
    event: Id('A collection event that happens: CEID or name.'),
    switch: Type.Optional(
      Type.Union(
        SWITCHES.map((one) => Type.Literal(one)),
        { description: 'The switch of its operator: online, offline, local or remote.' },
      ),
    ),
    fault: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description: 'A fault as at the prompt of the simulator, such as `silent on`, `drop` or `mend`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'What the simulator does: variable and value, alarm, cleared, event, switch or fault.',
  },
)
export type SimulatorChange = Static<typeof SimulatorChange>

/** What is wrong with it beside its form; undefined where nothing is. */
export function changeMistake({ value, ...change }: SimulatorChange): string | undefined {
  if (Object.keys(change).length !== 1)
    return 'set has one of variable, alarm, cleared, event, switch and fault'
  if ((value !== undefined) !== 'variable' in change) return 'variable and value go together'
  return undefined
}

/** The command of the simulator's control port. One word is taken as a whole line. */
export function commandOf({ variable, value, alarm, cleared, event, ...own }: SimulatorChange): string[] {
  if (variable !== undefined)
    return ['set', String(variable), typeof value === 'object' ? JSON.stringify(value) : String(value)]
  if (alarm !== undefined) return ['alarm', String(alarm), 'set']
  if (cleared !== undefined) return ['alarm', String(cleared), 'clear']
  if (event !== undefined) return ['event', String(event)]
  return [own.switch ?? own.fault ?? '']
}

/** In words, for a title: `alarm 4001`. */
export const changeWords = (change: SimulatorChange): string =>
  Object.entries(change)
    .map(([name, value]) => (name === 'value' ? `to ${String(value)}` : `${name} ${String(value)}`))
    .join(' ')
