import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import {
  ById,
  input,
  NullableText,
  named,
  nullable,
  OptionalFlag,
  OptionalText,
  Page,
  Text,
  Time,
} from '../../schema.js'

const State = Text(
  '`IDLE`, `BUSY`, `BLOCKED`, `unknown (7)` for a number without a known meaning, or `UNKNOWN`: nothing has told the state since the equipment could last tell it.',
)

const Share = Type.Object({
  state: State,
  seconds: Type.Number({ minimum: 0 }),
  share: Type.Number({ minimum: 0, maximum: 1, description: 'Of the whole time from `from` to `to`.' }),
})

const Doing = {
  task: NullableText('TaskName; null where it was not told.'),
  task_type: NullableText('TaskType, such as `PROCESS`.'),
  blocked_reason: NullableText('BlockedReason, such as `ERROR_CONDITION`.'),
  blocked_text: NullableText('BlockedReasonText.'),
}

const Stretch = Type.Object({
  from: Time('The first one of a module begins with the time that was asked for.'),
  to: Time('The last one of a module ends with the time that was asked for.'),
  state: State,
  ...Doing,
})

export const ModulePerformance = named('ModulePerformance', {
  module: Text('EPT name of the module; `equipment` for equipment that names none.'),
  state: State,
  since: nullable(
    Time('Since when it is in this state, as far as that is known; null if it was never told.'),
  ),
  ...Doing,
  last_known: nullable(
    Type.Object(
      { state: Type.String(), until: Time('When it was lost.') },
      { description: 'Of a state that is `UNKNOWN`, the last one that was told; otherwise null.' },
    ),
  ),
  shares: Type.Array(Share, {
    description: 'How long it was in each state. The seconds add up to the time.',
  }),
  stretches: Type.Optional(
    Type.Array(Stretch, { description: 'One after the other, without a gap; if the call asks for them.' }),
  ),
})
export type ModulePerformance = Static<typeof ModulePerformance>

export const Performance = named('Performance', {
  ...Page(ModulePerformance).properties,
  from: Time('Start of the time.'),
  to: Time('End of the time: now at the latest.'),
  note: NullableText('What this means, in a sentence; null if nothing is missing.'),
})
export type Performance = Static<typeof Performance>

export const performanceEndpoints = {
  getPerformance: endpoint('GET /equipment/{id}/performance', {
    tag: 'performance',
    summary: 'Read the performance of the modules of equipment',
    description:
      'The state of each module (SEMI E116) at the end of a time, and how long it was in each state, by what events and the questions of the gateway have told. Nothing is sent. While the equipment is not connected or offline, while the gateway does not run, and while messages of tapped equipment are not recorded, a state is `UNKNOWN`; and afterwards, until the equipment reports it again. The response has all modules in one page.',
    access: 'viewer',
    params: ById,
    query: input({
      from: Type.Optional(Time('Start of the time. Default: 24 hours before `to`.')),
      to: Type.Optional(Time('End of the time. Default, and the latest: now.')),
      module: OptionalText('Only this module.', { minLength: 1, maxLength: 256 }),
      stretches: OptionalFlag('True: list also when each module was in which state. Default: false.'),
    }),
    reply: Performance,
    errors: ['equipment_not_found'],
    examples: {
      reply: {
        items: [
          {
            module: 'Chamber1',
            state: 'BUSY',
            since: '2026-01-31T08:45:00.000Z',
            task: 'OXIDE-ETCH-01',
            task_type: 'PROCESS',
            blocked_reason: 'NOT_BLOCKED',
            blocked_text: '',
            last_known: null,
            shares: [
              { state: 'IDLE', seconds: 1800, share: 0.5 },
              { state: 'BUSY', seconds: 900, share: 0.25 },
              { state: 'BLOCKED', seconds: 0, share: 0 },
              { state: 'UNKNOWN', seconds: 900, share: 0.25 },
            ],
          },
        ],
        next_cursor: null,
        from: '2026-01-31T08:00:00.000Z',
        to: '2026-01-31T09:00:00.000Z',
        note: null,
      },
    },
  }),
} as const
