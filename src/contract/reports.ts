import { type Static, Type } from 'typebox'
import { Timeout } from './messages.js'
import { nullable, oneOf, Time } from './schema.js'

/** A name that the equipment told, or an identifier; one of digits may be an integer. */
export const Reference = (description: string) =>
  Type.Unsafe<string | number>({
    anyOf: [
      { type: 'string', minLength: 1, maxLength: 256 },
      { type: 'integer', minimum: 0 },
    ],
    description,
  })

const WantedReport = Type.Object(
  {
    id: Reference('RPTID: a number, or text where the equipment uses text.'),
    variables: Type.Array(Reference('Name or VID of a variable.'), {
      description: 'What the report holds, in this order; one or more.',
    }),
  },
  { additionalProperties: false },
)

const WantedEvent = Type.Object(
  {
    event: Reference('Name or CEID of a collection event.'),
    reports: Type.Optional(
      Type.Array(Reference('RPTID.'), {
        description: 'The reports that are sent with the event, in this order. None when left out.',
      }),
    ),
    enabled: Type.Optional(
      Type.Boolean({ description: 'Whether the equipment sends the event; true unless given.' }),
    ),
  },
  { additionalProperties: false },
)

/** The event reports that an equipment shall send. */
export const WantedReports = Type.Object(
  {
    reports: Type.Array(WantedReport),
    events: Type.Array(WantedEvent),
    others: Type.Optional(
      oneOf(
        ['delete', 'keep'],
        'What becomes of reports and events that are not named here. `delete`, when left out: every event is disabled and every report deleted first, so that nothing else is sent. `keep`: only what is named here, and what the gateway applied before, is touched.',
      ),
    ),
    multi_block_inquire: Type.Optional(
      Type.Boolean({
        description:
          'True unless given. Whether S2F39 asks before an S2F33 or S2F35 of more than 244 bytes. Equipment that does not know S2F39 is sent the message all the same: HSMS has no blocks.',
      }),
    ),
    apply_again: Type.Optional(
      oneOf(
        ['when_missing', 'always', 'never'],
        'What is done when the equipment communicates again. `when_missing`, when left out: S6F15 asks what each event sends and S6F19 for reports that none sends, and where that is not as it should be all is applied again, with S2F37 and S2F33 that disable and delete first; so it is where an S2F33 of somebody was accepted that says otherwise, and with other software (MDLN, SOFTREV) in any case, its names as identifiers of now. Where the equipment does not show what it has just accepted, its answers are not gone by again. `always`: it is applied without asking. `never`: nothing is asked or applied. `gem_startup` has no say in it.',
      ),
    ),
  },
  { additionalProperties: false },
)
export type WantedReports = Static<typeof WantedReports>

const CHANGES = ['added', 'removed', 'changed'] as const
const Change = oneOf(CHANGES, 'Against what the gateway last applied.')

const ReportChange = Type.Object({
  change: Change,
  id: Type.String({ description: 'RPTID.' }),
  before: nullable(Type.Array(Type.String(), { description: 'Names or VIDs of its variables.' })),
  after: nullable(Type.Array(Type.String(), { description: 'Names or VIDs of its variables.' })),
})
export type ReportChange = Static<typeof ReportChange>

const EventState = Type.Object({ reports: Type.Array(Type.String()), enabled: Type.Boolean() })

const EventChange = Type.Object({
  change: Change,
  id: Type.String({ description: 'CEID.' }),
  name: nullable(Type.String()),
  before: nullable(EventState),
  after: nullable(EventState),
})
export type EventChange = Static<typeof EventChange>

const REPORT_PURPOSES = ['disable', 'delete', 'unlink', 'inquire', 'define', 'link', 'enable'] as const

const ReportStep = Type.Object({
  message: Type.String({ description: 'Such as `S2F33`.' }),
  purpose: oneOf(REPORT_PURPOSES),
  count: Type.Integer({ minimum: 0, description: 'Reports or events in it; 0 stands for all.' }),
  accepted: nullable(Type.Boolean({ description: 'Null for one that was not sent, or not answered.' })),
  code: nullable(Type.Integer({ minimum: 0, maximum: 255, description: 'ERACK, DRACK, LRACK or GRANT.' })),
  text: nullable(Type.String({ description: 'What the code means, or why it was not answered.' })),
  message_id: nullable(Type.String()),
  reply_id: nullable(Type.String()),
})
export type ReportStep = Static<typeof ReportStep>

/** What came of applying reports; of a dry run, what would be done. */
export const ReportsResult = Type.Object({
  applied: Type.Boolean(),
  dry_run: Type.Boolean(),
  difference: Type.Object(
    { reports: Type.Array(ReportChange), events: Type.Array(EventChange) },
    {
      description:
        'Against what the gateway last applied. GEM cannot read back what the equipment has: where the gateway has applied nothing, everything is `added`.',
    },
  ),
  warnings: Type.Array(Type.String()),
  steps: Type.Array(ReportStep, { description: 'In the order in which they are sent.' }),
  went_back: nullable(
    Type.Boolean({
      description:
        'After a step that failed: whether the equipment has again what the gateway last applied. Null where there was nothing to go back from or to.',
    }),
  ),
  detail: nullable(Type.String({ description: 'What a failure left behind, in words.' })),
})
export type ReportsResult = Static<typeof ReportsResult>

export const REPORT_STATES = ['none', 'unknown', 'present', 'missing'] as const
export type ReportState = (typeof REPORT_STATES)[number]

/** The reports that the gateway last applied. */
export const AppliedReports = Type.Object({
  definition: nullable(WantedReports),
  applied_at: nullable(Time('When it was applied last, by a caller or by the gateway itself.')),
  applied_by: nullable(Type.String({ description: 'Email of the user who applied it.' })),
  state: oneOf(
    REPORT_STATES,
    'Whether the equipment has it, as far as known. `none`: nothing was applied. `unknown`: the equipment does not communicate, has not been looked at since it does, or cannot say. `present`: it was accepted, or every event sends its reports, each with as many values as it has variables (where the equipment does not know S6F15, or does not show its links: every report has them). `missing`: some report or link is not there, a name stands for nothing any more, or a step was refused.',
  ),
  checked_at: nullable(Time('When that became known.')),
  last_error: nullable(
    Type.Object(
      { detail: Type.String(), at: Time('When it happened.') },
      {
        description: 'Why the gateway could not check it or apply it again; null once it could.',
      },
    ),
  ),
})
export type AppliedReports = Static<typeof AppliedReports>

export const ApplyQuery = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Answers the difference and the steps, and sends nothing.' }),
    ),
    ...Timeout,
  },
  { additionalProperties: false },
)
export type ApplyQuery = Static<typeof ApplyQuery>
