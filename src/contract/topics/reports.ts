import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import {
  ById,
  described,
  input,
  NullableFlag,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  oneOf,
  Text,
  Time,
} from '../schema.js'
import { recordedAs } from '../values.js'
import { DEFINITION_ORIGIN_WORDS, DEFINITION_ORIGINS } from './collection-events.js'
import { Timeout, WRITES } from './messages.js'

/** A name from the equipment's name lists, or an identifier; a numeric identifier may be an integer. */
export const Reference = (description: string) =>
  Type.Unsafe<string | number>({
    anyOf: [
      { type: 'string', minLength: 1, maxLength: 256 },
      { type: 'integer', minimum: 0 },
    ],
    description,
  })

const WantedReport = namedInput('WantedReport', {
  id: Reference('RPTID: a number, or text where the equipment uses text.'),
  variables: Type.Array(Reference('Name or VID of a variable.'), {
    description: 'One or more variables that the report contains, in this order.',
  }),
})

const WantedEvent = namedInput('WantedEvent', {
  event: Reference('Name or CEID of a collection event.'),
  reports: Type.Optional(
    Type.Array(Reference('RPTID.'), {
      description: 'The reports that are linked to the event, in this order. Default: none.',
    }),
  ),
  enabled: OptionalFlag('Whether the event is enabled; default true.'),
})

/** The event reports that an equipment shall send. */
export const WantedReports = namedInput('WantedReports', {
  reports: Type.Array(WantedReport),
  events: Type.Array(WantedEvent),
  others: Type.Optional(
    described(
      'OtherReports',
      oneOf(
        ['delete', 'keep'],
        'What happens to reports and events that this definition does not name. `delete` (default): all events are disabled and all reports are deleted first. `keep`: the gateway changes only what this definition names and what it applied before.',
      ),
    ),
  ),
  multi_block_inquire: OptionalFlag(
    'Whether the gateway sends S2F39 (multi-block inquire) before an S2F33 or S2F35 of more than 244 bytes; default true. If the equipment does not support S2F39, the gateway sends the message nevertheless, since HSMS has no blocks.',
  ),
  apply_again: Type.Optional(
    described(
      'ApplyAgain',
      oneOf(
        ['when_missing', 'always', 'never'],
        'What the gateway does when the equipment communicates again. `when_missing` (default): it reads the reports of the first and of the last event with S6F15, and one report without an event with S6F19. It reads all of them if recorded messages do not show which reports the events have, such as after an S2F35 without a reply, and if an event report then differs from the definition. If they differ from the definition, it applies the whole definition again; S2F37 and S2F33 first disable and delete. It also does so after the equipment has accepted a contradicting S2F33 from another caller, and whenever MDLN or SOFTREV has changed; names are then resolved again. If the equipment does not show what it has just accepted, the gateway no longer relies on these checks. Afterwards it asks slowly for what another host may have changed meanwhile: the variables of each report (S6F21), and the enabled events (S1F3 of EventsEnabled); with `gem_startup` false it does not. `always`: the definition is applied without a check. `never`: nothing is checked or applied. `gem_startup` has no other effect on this.',
      ),
    ),
  ),
})
export type WantedReports = Static<typeof WantedReports>

const CHANGES = ['added', 'removed', 'changed'] as const
const Change = oneOf(CHANGES, 'Compared with the definition that the gateway last applied.')

const ReportChange = Type.Object({
  change: Change,
  id: Text('RPTID.'),
  before: nullable(Type.Array(Type.String(), { description: 'Names or VIDs of its variables.' })),
  after: nullable(Type.Array(Type.String(), { description: 'Names or VIDs of its variables.' })),
})
export type ReportChange = Static<typeof ReportChange>

const EventState = Type.Object({ reports: Type.Array(Type.String()), enabled: Type.Boolean() })

const EventChange = Type.Object({
  change: Change,
  id: Text('CEID.'),
  name: nullable(Type.String()),
  before: nullable(EventState),
  after: nullable(EventState),
})
export type EventChange = Static<typeof EventChange>

const REPORT_PURPOSES = ['disable', 'delete', 'unlink', 'inquire', 'define', 'link', 'enable'] as const

const ReportStep = Type.Object({
  message: Text('Such as `S2F33`.'),
  purpose: oneOf(REPORT_PURPOSES),
  count: Type.Integer({
    minimum: 0,
    description: 'Number of reports or events in the message; 0 means all.',
  }),
  accepted: NullableFlag('Null if the message was not sent or got no reply.'),
  code: nullable(Type.Integer({ minimum: 0, maximum: 255, description: 'ERACK, DRACK, LRACK or GRANT.' })),
  text: NullableText('Meaning of `code`, or why there was no reply.'),
  message_id: nullable(Type.String()),
  reply_id: nullable(Type.String()),
})
export type ReportStep = Static<typeof ReportStep>

/** Result of applying reports, or of a dry run: the changes and messages. */
export const ReportsResult = named('ReportsResult', {
  applied: Type.Boolean(),
  dry_run: Type.Boolean(),
  difference: Type.Object(
    { reports: Type.Array(ReportChange), events: Type.Array(EventChange) },
    {
      description:
        'Difference from the definition that the gateway last applied. GEM has no message to read the definitions of the equipment back: if the gateway has applied nothing yet, everything is `added`.',
    },
  ),
  warnings: Type.Array(Type.String()),
  steps: Type.Array(ReportStep, { description: 'The messages, in the order in which they are sent.' }),
  rolled_back: NullableFlag(
    'After a failed step: whether the previous definition was restored in the equipment. Null if no step failed, or if there was no previous definition.',
  ),
  detail: NullableText('After a failure: a readable description of the state in which the equipment is now.'),
})
export type ReportsResult = Static<typeof ReportsResult>

export const REPORT_STATES = ['none', 'unknown', 'present', 'missing'] as const
export type ReportState = (typeof REPORT_STATES)[number]

/** How `health_reason` begins where the state is `missing`. */
export const REPORTS_MISSING = 'it does not have the event reports that were applied'
/** The same where no definition was applied before, so that the gateway has none to apply again. */
export const REPORTS_REFUSED = 'its first event reports could not be applied'

const Origin = oneOf(DEFINITION_ORIGINS, DEFINITION_ORIGIN_WORDS)

const KnownReports = named('KnownReports', {
  reports: Type.Array(
    Type.Object({
      id: Text('RPTID.'),
      variables: Type.Array(Type.String(), { description: 'VIDs.' }),
      names: Type.Array(NullableText('Of the variable at the same place; null where it is not known.')),
      origin: Origin,
    }),
  ),
  events: Type.Array(
    Type.Object({
      id: Text('CEID.'),
      name: nullable(Type.String()),
      reports: Type.Array(Type.String()),
      enabled: NullableFlag('Null where it is not known.'),
      origin: Origin,
    }),
  ),
})
export type KnownReports = Static<typeof KnownReports>

/** The reports that the gateway last applied. */
export const AppliedReports = named('AppliedReports', {
  definition: nullable(WantedReports),
  applied_at: nullable(Time('When the definition was last applied, by a caller or by the gateway itself.')),
  applied_by: NullableText('Email of the user who applied the definition, or `key:NAME` of an API key.'),
  state: oneOf(
    REPORT_STATES,
    'Whether the equipment has the definition, as far as the gateway knows. `none`: no definition was applied, and none has failed. `unknown`: the equipment is not communicating, was not checked since it communicates, or does not support the check. `present`: the equipment accepted the definition, or a check found that the events that it read have their reports, each with as many values as variables (only the reports are checked if the equipment does not support S6F15 or does not show its links). `missing`: a report or link is missing, a name no longer exists, or the equipment refused a step. Without a `definition`: the first one failed after the equipment had accepted a part of it; kept until the next definition is applied or all are deleted, at most until the gateway restarts.',
  ),
  checked_at: nullable(Time('When `state` was last determined.')),
  last_error: nullable(
    Type.Object(
      { detail: Type.String(), at: Time('When it happened.') },
      {
        description: 'Why the gateway could not check the definition or apply it; null after it succeeded.',
      },
    ),
  ),
  changed_elsewhere: nullable(
    Type.Object(
      { detail: Type.String(), at: Time('When it was detected.') },
      {
        description:
          'What another host had changed while the gateway was away, when that was last detected; null if it never was since a caller applied the definition.',
      },
    ),
  ),
  of_host: Type.Optional(KnownReports),
})
export type AppliedReports = Static<typeof AppliedReports>

const ClearQuery = input({
  dry_run: OptionalFlag(
    'True: return the difference and the steps, and send nothing to the equipment. Default: false.',
  ),
  ...Timeout,
})
const ApplyQuery = input({
  ...ClearQuery.properties,
  dry_run: OptionalFlag(
    'True: return the difference and the steps, and change nothing. Names that are not known yet are asked for (S1F11, S1F21, S2F29, S1F23); nothing else is sent to the equipment. Default: false.',
  ),
  again: OptionalFlag(
    'True: send everything, even if the equipment has it all as far as the gateway knows. Default: false.',
  ),
})

const WANTED: WantedReports = {
  reports: [{ id: 1001, variables: ['ChamberPressure', 1011] }],
  events: [{ event: 'ProcessingStarted', reports: [1001], enabled: true }],
}
const VARIABLES = ['ChamberPressure', 'RFPower']
const LINK = { reports: ['1001'], enabled: true }

const step = (message: string, purpose: ReportStep['purpose'], count: number): ReportStep => ({
  message,
  purpose,
  count,
  accepted: true,
  code: 0,
  text: 'accepted',
  ...recordedAs(71),
})

const APPLIED: ReportsResult = {
  applied: true,
  dry_run: false,
  difference: {
    reports: [{ change: 'added', id: '1001', before: null, after: VARIABLES }],
    events: [{ change: 'added', id: '3010', name: 'ProcessingStarted', before: null, after: LINK }],
  },
  warnings: [],
  steps: [
    step('S2F37', 'disable', 0),
    step('S2F33', 'delete', 0),
    step('S2F33', 'define', 1),
    step('S2F35', 'link', 1),
    step('S2F37', 'enable', 1),
  ],
  rolled_back: null,
  detail: null,
}

export const reportEndpoints = {
  getReports: endpoint('GET /equipment/{id}/reports', {
    tag: 'reports',
    summary: 'Read the event reports that the gateway applied',
    description:
      'The definition that the gateway stores; of equipment with a `tap` also the reports and links of its host that are known (`of_host`). Nothing is sent to the equipment, since GEM has no message to read report definitions back.',
    access: 'viewer',
    params: ById,
    reply: AppliedReports,
    errors: ['equipment_not_found'],
    examples: {
      reply: {
        definition: WANTED,
        applied_at: '2026-01-31T08:00:00.000Z',
        applied_by: 'ada@example.com',
        state: 'present',
        checked_at: '2026-01-31T08:00:00.000Z',
        last_error: null,
        changed_elsewhere: null,
      },
    },
  }),
  applyReports: endpoint('PUT /equipment/{id}/reports', {
    ...WRITES,
    tag: 'reports',
    summary: 'Apply event reports',
    description:
      'The gateway first validates the definition, and then sends S2F37 (disable), S2F33 (delete, define), S2F35 (link) and S2F37 (enable). If a step is refused or fails, the gateway restores the definition that it last applied and reports this in `rolled_back`; for a refusal the response is 200 with `applied` false. The gateway stores the definition, and applies it again if the equipment has lost it after a reconnect (see `apply_again`).',
    query: ApplyQuery,
    body: WantedReports,
    reply: ReportsResult,
    audited: ['reports', 'events', 'others', 'apply_again'],
    examples: { body: WANTED, reply: APPLIED },
  }),
  observeReports: endpoint('PUT /equipment/{id}/reports/observed', {
    tag: 'reports',
    summary: 'Give the report definitions of the host of tapped equipment',
    description:
      'A tap that is put into a running line has not seen which reports the host has defined: until the host does so again, values of events have no names. The caller gives the definitions that the host has, in the form of `PUT /equipment/{id}/reports` (`others`, `apply_again` and `multi_block_inquire` have no effect). Nothing is sent. They are added to what is known, are kept over restarts, and hold until messages of the host show others.',
    access: 'engineer',
    params: ById,
    body: WantedReports,
    reply: KnownReports,
    errors: ['equipment_not_found', 'not_tapped', 'invalid_message'],
    audited: ['reports', 'events'],
    examples: {
      body: WANTED,
      reply: {
        reports: [
          { id: '1001', variables: ['1010', '1011'], names: ['ChamberPressure', null], origin: 'by_hand' },
        ],
        events: [
          { id: '3010', name: 'ProcessingStarted', reports: ['1001'], enabled: true, origin: 'by_hand' },
        ],
      },
    },
  }),
  clearReports: endpoint('DELETE /equipment/{id}/reports', {
    ...WRITES,
    tag: 'reports',
    summary: 'Delete the event reports',
    description:
      'Sends S2F37 (disable) and S2F33 (delete) for all reports, or, if the definition has `others` `keep`, only for what the gateway applied. After the equipment has accepted, the gateway deletes its stored definition.',
    query: ClearQuery,
    reply: ReportsResult,
    examples: {
      reply: {
        ...APPLIED,
        difference: {
          reports: [{ change: 'removed', id: '1001', before: VARIABLES, after: null }],
          events: [{ change: 'removed', id: '3010', name: 'ProcessingStarted', before: LINK, after: null }],
        },
        steps: APPLIED.steps.slice(0, 2),
      },
    },
  }),
} as const
