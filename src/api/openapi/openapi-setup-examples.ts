import type { Static } from 'typebox'
import type { Recipe } from '../../contract/recipes.js'
import type { ReportStep, WantedReports } from '../../contract/reports.js'
import type { setupEndpoints } from '../../contract/setup-endpoints.js'
import type { Trace } from '../../contract/traces.js'
import type { JsonObject } from '../../kit/text/json.js'

type Setup = typeof setupEndpoints

const AT = '2026-01-31T08:00:00.000Z'
const RECORDED = { message_id: '71', reply_id: '72' }
const ACCEPTED = { accepted: true, ...RECORDED }

const WANTED: WantedReports = {
  reports: [{ id: 1001, variables: ['ChamberPressure', 1011] }],
  events: [{ event: 'ProcessingStarted', reports: [1001], enabled: true }],
}

const step = (message: string, purpose: ReportStep['purpose'], count: number): ReportStep => ({
  ...{ message, purpose, count, code: 0, text: 'accepted', ...ACCEPTED },
})

const BODY = Buffer.from('STEP 1 POWER 800\n')
const PPID = 'OXIDE-ETCH-01'

const RECIPE: Recipe = {
  ppid: PPID,
  bytes: BODY.length,
  sha256: '356c3f94c445dc111136b3c3341ab912f0860fd7da7aa2b599429bec154b9c4c',
  item_format: 'B',
  body: BODY.toString('base64'),
  formatted: null,
  ...RECORDED,
}

const TRACE: Trace = {
  trid: '1',
  variables: [{ id: '1010', name: 'ChamberPressure', unit: 'mtorr' }],
  period_seconds: 1,
  samples: 60,
  group_size: 1,
  received: 12,
  started_at: AT,
}

/** All that there is, on one page. */
const whole = <Item>(item: Item): { items: Item[]; next_cursor: null } => ({
  items: [item],
  next_cursor: null,
})

/** A body that works, for each of these that takes one. */
export const SETUP_EXAMPLES: { readonly [Name in keyof Setup]?: JsonObject } = {
  applyReports: WANTED as unknown as JsonObject,
  storeRecipe: { body: BODY.toString('base64') },
  selectRecipe: { parameter: 'PPID', parameters: { LOTID: 'L1' } },
  startTrace: { variables: ['ChamberPressure'], period_seconds: 1, samples: 60 },
}

/** What each of these may answer. */
export const SETUP_REPLY_EXAMPLES: {
  readonly [Name in keyof Setup]?: Static<Setup[Name]['reply']>
} = {
  getReports: {
    definition: WANTED,
    applied_at: AT,
    applied_by: 'ada@example.com',
    state: 'present',
    checked_at: AT,
    last_error: null,
  },
  applyReports: {
    applied: true,
    dry_run: false,
    difference: {
      reports: [{ change: 'added', id: '1001', before: null, after: ['ChamberPressure', 'RFPower'] }],
      events: [
        {
          change: 'added',
          id: '3010',
          name: 'ProcessingStarted',
          before: null,
          after: { reports: ['1001'], enabled: true },
        },
      ],
    },
    warnings: [],
    steps: [
      step('S2F37', 'disable', 0),
      step('S2F33', 'delete', 0),
      step('S2F33', 'define', 1),
      step('S2F35', 'link', 1),
      step('S2F37', 'enable', 1),
    ],
    went_back: null,
    detail: null,
  },
  clearReports: {
    applied: true,
    dry_run: false,
    difference: {
      reports: [{ change: 'removed', id: '1001', before: ['ChamberPressure', 'RFPower'], after: null }],
      events: [
        {
          change: 'removed',
          id: '3010',
          name: 'ProcessingStarted',
          before: { reports: ['1001'], enabled: true },
          after: null,
        },
      ],
    },
    warnings: [],
    steps: [step('S2F37', 'disable', 0), step('S2F33', 'delete', 0)],
    went_back: null,
    detail: null,
  },
  listRecipes: whole({ ppid: PPID }),
  fetchRecipe: RECIPE,
  storeRecipe: {
    ppid: PPID,
    bytes: RECIPE.bytes,
    sha256: RECIPE.sha256,
    ppgnt: 0,
    ppgnt_text: 'granted',
    ackc7: 0,
    ackc7_text: 'accepted',
    verified: true,
    ...ACCEPTED,
  },
  deleteRecipe: { ppid: PPID, ackc7: 0, ackc7_text: 'accepted', ...ACCEPTED },
  selectRecipe: {
    command: 'PP-SELECT',
    hcack: 0,
    hcack_text: 'done',
    cmda: null,
    cmda_text: null,
    parameters: [],
    ...ACCEPTED,
  },
  listTraces: whole(TRACE),
  startTrace: { tiaack: 0, tiaack_text: 'accepted', trace: { ...TRACE, received: 0 }, ...ACCEPTED },
  endTrace: { trid: '1', tiaack: 0, tiaack_text: 'accepted', ...ACCEPTED },
}
