import type { GivenValue } from '../../catalogue/structure/structure-data.js'
import { L } from '../../secs2/item.js'
import type { AskingRound } from './asking-round.js'
import { controlStateId } from './peer-names.js'
import type { UnknownReports } from './unknown-reports.js'

/** The name under which an S5F5 with an empty list is remembered. */
export const ALARMS_BY_LIST = 'S5F5 <L>'

/** RSDA (SEMI E5). */
const RSDA = { coming: 0, busy: 1 } as const
const BUSY_PAUSE = 10_000
const BUSY_TRIES = 6
/** An equipment may send as few as one spooled message for each S6F23. So often it is asked in one go. */
const SPOOL_ROUNDS = 20

/** What became of a request for the spool: the equipment has more of it, it could not be had now, or there is nothing to be had. */
export type SpoolOutcome = 'ended' | 'more' | 'busy'

export interface StartOutcome {
  readonly spool: SpoolOutcome
  readonly isAskedForAlarms: boolean
}

/**
 * What a host wants to know when communication has been established and the equipment is online, after what is to
 * be done `first`. Spooled data before alarms, so that the alarms of the past come before those of the present; names last.
 */
export async function startUp(asker: AskingRound, first: () => Promise<unknown>): Promise<StartOutcome> {
  const wasKnown = await askControlState(asker)
  await first()
  const spool = await askForSpool(asker)
  const isAskedForAlarms = await askForAlarms(asker)
  await askNames(asker)
  if (!wasKnown) await askControlState(asker)
  return { spool, isAskedForAlarms }
}

/** False when the VID of ControlState is not known. */
export async function askControlState({ names, ask }: AskingRound): Promise<boolean> {
  const id = controlStateId(names)
  if (id === undefined) return false
  await ask('S1F3', { SVID: [askedId(id)] })
  return true
}

/** Each list once for as long as the equipment's software is the same. One that has no first list has no other. */
async function askNames({ names, ask }: AskingRound): Promise<void> {
  if (!names.hasWhole('S1F11')) await ask('S1F11', {})
  if (!names.hasWhole('S1F11')) return
  if (!names.hasWhole('S1F21')) await ask('S1F21', {})
  if (!names.hasWhole('S1F23')) await ask('S1F23', {})
}

/**
 * Equipment whose spool is not read may never report again. It ends with more where the equipment is still sending: one
 * that always says so and always reports something must not keep the host from everything else.
 */
export async function askForSpool(
  { ask, codeOf, untilQuiet, pause }: AskingRound,
  tries = BUSY_TRIES,
): Promise<SpoolOutcome> {
  let busy = 0
  for (let round = 0; round < SPOOL_ROUNDS; round++) {
    const exchange = await ask('S6F23', { RSDC: '0' })
    // It could not be asked: callers had all transactions open for long.
    if (exchange.kind === 'busy') return 'busy'
    const code = codeOf(6, 24, exchange)
    if (code === RSDA.busy) {
      busy += 1
      await pause(BUSY_PAUSE)
      if (busy >= tries) return 'busy'
      continue
    }
    if (code !== RSDA.coming) return 'ended'
    const quiet = await untilQuiet()
    if (quiet !== 'some') return quiet === 'never' ? 'more' : 'ended'
  }
  return 'more'
}

/**
 * Asks for the variables of reports that came and were not defined by this host (S6F21), for as long as
 * `goesOn` says. One that does not answer is not asked for others.
 */
export async function askReports(
  { ask }: AskingRound,
  unknown: UnknownReports,
  goesOn: () => boolean,
): Promise<void> {
  while (goesOn()) {
    const id = unknown.next()
    if (id === undefined) return
    const { kind } = await ask('S6F21', { RPTID: askedId(id) })
    if (kind === 'timed_out') unknown.giveUp()
  }
}

/**
 * All of them: by an array without an element (SEMI E5), or by an empty list, which some libraries take instead. Where
 * neither is answered, those that are enabled. False where nothing could be asked now.
 */
export async function askForAlarms({ ask, askBy }: AskingRound): Promise<boolean> {
  const asked = [
    () => ask('S5F5', {}),
    () => askBy(ALARMS_BY_LIST, { stream: 5, function: 5, item: L() }),
    () => ask('S5F7', {}),
  ]
  for (const next of asked) {
    const { kind } = await next()
    if (kind === 'lost' || kind === 'busy') return false
    if (kind === 'replied') return true
  }
  return true
}

/** An identifier in the format that the equipment is given it in: digits as a number. */
const askedId = (id: string): GivenValue => (/^-?[0-9]+$/.test(id) ? id : { A: id })
