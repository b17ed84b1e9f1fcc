import type { TapLine, TapPair, TapReport, TapSide } from '../../contract/topics/equipment/tap-report.js'
import type { Endpoints } from '../../hsms/capture/wire.js'
import { sTypeOf } from '../../hsms/frame/header.js'
import { STYPE_NAMES, selectStatusText } from '../../hsms/words.js'
import { roundedMs } from '../../kit/stopwatch.js'
import type { Side } from '../../tap/side.js'
import type { PairCounts, SideCounts, TapCounts } from '../../tap/tap-counts.js'
import type { TapRecorder } from './tap-recorder.js'

const at = (milliseconds: number): string => new Date(milliseconds).toISOString()

function nameOf(sType: number): string {
  const type = sTypeOf(sType)
  return type === undefined ? `SType ${sType}` : STYPE_NAMES[type]
}

/** What has passed through a tap as the API shows it. `counts`: null where the tap does not say. */
export function viewTap(
  counts: TapCounts | null,
  recorder: Pick<TapRecorder, 'openOf' | 'exchanges'>,
  unrecorded: number,
  now: Date,
): TapReport {
  const { exchanges } = recorder
  const side = (asker: Side): TapReport['gateway']['host'] => {
    const { open, oldestMs } = recorder.openOf(asker)
    const { replied, times } = exchanges.replies(asker)
    return { replied, open, oldest_ms: oldestMs === null ? null : roundedMs(oldestMs), reply_ms: times }
  }
  return {
    at: now.toISOString(),
    line: counts && viewLine(counts),
    gateway: {
      since: exchanges.since,
      outcomes: [...exchanges.outcomes],
      host: side('host'),
      equipment: side('equipment'),
      stream9: [...exchanges.complaints],
      unrecorded,
    },
  }
}

function viewLine({ since, listening, fault, pairs, pair, last, refused, notDialled }: TapCounts): TapLine {
  return {
    since: at(since),
    listening,
    fault,
    pairs,
    pair: pair && viewPair(pair),
    last_pair: last && viewPair(last),
    refused: refused.map(({ address, why: reason, count, at: last_at }) => {
      return { address, reason, count, last_at: at(last_at) }
    }),
    not_dialled: notDialled && {
      count: notDialled.count,
      detail: notDialled.detail,
      last_at: at(notDialled.at),
    },
  }
}

function viewPair({ since, over, sides, endpoints, handling, own, ...pair }: PairCounts): TapPair {
  const { times, sumMs, maxMs } = handling
  const { selectStatus: status } = pair
  return {
    since: at(since),
    ended: over && { at: at(over.at), by: over.first, how: over.how },
    selected: pair.isSelected,
    select: status === null ? null : { status, text: selectStatusText(status) },
    host: viewSide(sides.host, endpoints.host),
    equipment: viewSide(sides.equipment, endpoints.equipment),
    mapped: pair.mapped,
    gateway_sent: own.sent,
    gateway_replied: own.replied,
    handling: { times, mean_ms: times === 0 ? 0 : roundedMs(sumMs / times), max_ms: roundedMs(maxMs) },
  }
}

function viewSide(side: SideCounts, { local, remote }: Endpoints): TapSide {
  const { bytes, primaries, replies, stream9, control, unanswered } = side
  return {
    local,
    remote,
    bytes,
    primaries,
    replies,
    stream9,
    control: Object.entries(control).map(([sType, count]) => ({ name: nameOf(Number(sType)), count })),
    session_id: side.sessionId,
    readable: !side.isUnreadable,
    held_ms: roundedMs(side.heldMs),
    last_at: side.lastAt === null ? null : at(side.lastAt),
    unanswered: unanswered && { name: nameOf(unanswered.sType), since: at(unanswered.at) },
  }
}
