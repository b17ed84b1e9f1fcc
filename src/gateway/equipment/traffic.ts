import type { Catalogue } from '../../catalogue/catalogue.js'
import { TIMEOUTS, type Traffic, type TrafficWay } from '../../contract/topics/traffic.js'
import type { ControlType } from '../../hsms/control.js'
import type { HsmsCounts, TrafficCounts as WayCounts } from '../../hsms/counters/counters.js'
import { rejectText, STYPE_NAMES } from '../../hsms/words.js'
import { inTurns } from '../../kit/turns.js'
import type { HsmsPorts } from '../link/hsms-ports.js'
import type { EquipmentRegistry, Observed } from './registry.js'

/** Equipment whose counts are read in one step: a millisecond or two. */
const VIEWED_AT_ONCE = 50

/** Message counts between the gateway and each equipment, as its HSMS drivers counted them. */
export class EquipmentTraffic {
  constructor(
    readonly equipment: EquipmentRegistry,
    /** The connections that were not taken. */
    readonly ports: Pick<HsmsPorts, 'refused' | 'forwardedConnections'>,
  ) {}

  async of(equipmentId: string): Promise<Traffic> {
    return viewObserved(this.equipment.observed(equipmentId))
  }

  all(): Promise<readonly NamedTraffic[]> {
    return inTurns(viewAll(this.equipment.allObserved()))
  }
}

interface NamedTraffic {
  readonly name: string
  readonly traffic: Traffic
}

function* viewAll(all: readonly Observed[]): Generator<void, NamedTraffic[]> {
  const viewed: NamedTraffic[] = []
  for (const [at, observed] of all.entries()) {
    if (at % VIEWED_AT_ONCE === VIEWED_AT_ONCE - 1) yield
    viewed.push({ name: observed.record.name, traffic: viewObserved(observed) })
  }
  return viewed
}

const viewObserved = ({ session, since }: Observed): Traffic =>
  viewCounts(session.wire.counts, since, session.reading().catalogue)

function viewCounts(counts: HsmsCounts, since: string, catalogue: Catalogue): Traffic {
  const { roundTrip, line } = counts
  return {
    since,
    in: viewWay(counts.in, catalogue),
    out: viewWay(counts.out, catalogue),
    timeouts: TIMEOUTS.map((timer) => ({ timer, count: counts.timeouts[timer] })),
    line: {
      blocks_in: line.blocksIn,
      blocks_out: line.blocksOut,
      naks_in: line.naksIn,
      naks_out: line.naksOut,
      retries: line.retries,
      duplicates: line.duplicates,
      unexpected: line.unexpected,
      strays: line.strays,
    },
    connects: counts.connects,
    losses: counts.losses.map(({ fault, count }) => ({ code: fault, count })),
    attempts_failed: counts.attemptsFailed,
    unrecorded: counts.unrecorded,
    refused: counts.refused,
    round_trip: {
      count: roundTrip.count,
      sum: roundTrip.sum,
      buckets: roundTrip.buckets.map(({ bound, count }) => ({
        le: Number.isFinite(bound) ? bound : null,
        count,
      })),
    },
    open: counts.open,
  }
}

function viewWay(way: WayCounts, catalogue: Catalogue): TrafficWay {
  const control = Object.entries(way.control) as [ControlType, number][]
  return {
    frames: way.frames,
    bytes: way.bytes,
    messages: way.messages
      .map((amount) => ({ ...amount, name: catalogue.name(amount.stream, amount.function) }))
      .sort((a, b) => a.stream - b.stream || a.function - b.function),
    other_messages: way.otherMessages,
    control: control
      .filter(([, count]) => count > 0)
      .map(([type, count]) => ({ name: STYPE_NAMES[type], count })),
    unknown: way.unknown,
    rejects: way.rejects.map(({ reason, count }) => ({ reason, text: rejectText(reason), count })),
  }
}
