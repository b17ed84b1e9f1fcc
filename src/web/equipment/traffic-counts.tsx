import { type Traffic, trafficEndpoints } from '../../contract/topics/traffic.js'
import type { Live } from '../gateway/live.js'
import type { CsvColumn } from '../parts/csv.js'
import { CsvButton } from '../parts/csv-button.js'
import { Time } from '../parts/time.js'
import { useReadAgain } from '../parts/use-read-again.js'
import { texts } from '../texts.js'
import { Explain } from './explain.js'

const words = texts.equipment
const KINDS = 8

function useTraffic(live: Live, id: string) {
  return useReadAgain(
    id,
    [live],
    (signal): Promise<Traffic> => live.calls.call(trafficEndpoints.getTraffic, { params: { id } }, signal),
  )
}

/** Messages, timeouts and lost connections since the gateway was started. */
export function TrafficCounts({
  live,
  id,
  isTapped,
}: {
  readonly live: Live
  readonly id: string
  readonly isTapped: boolean
}) {
  const { value, problem } = useTraffic(live, id)
  return (
    <section class="panel" aria-labelledby="traffic-heading">
      <div class="panel-head">
        <h2 id="traffic-heading">{words.traffic}</h2>
        {value && <CsvButton name="traffic" rows={csvRows(value)} columns={CSV} />}
        {value && (
          <span class="muted">
            {words.since} <Time at={value.since} today={live.calls.date()} />
          </span>
        )}
      </div>
      {problem && !value && <p class="problem">{texts.failed(problem)}</p>}
      {value && (
        <>
          <dl class="facts">
            <Count name={isTapped ? words.fromEquipment : words.received} value={value.in.frames} />
            <Count name={isTapped ? words.fromHost : words.sent} value={value.out.frames} />
            <Count name={words.open} value={value.open} />
            <Count name={words.connects} value={value.connects} />
            <Count name={words.attemptsFailed} value={value.attempts_failed} />
            {isTapped && <Count name={words.unrecorded} value={value.unrecorded} />}
            {isTapped && <Count name={words.refused} value={refusedOf(value)} />}
            <div>
              <dt>{words.roundTrip}</dt>
              <dd>{roundTripOf(value)}</dd>
            </div>
          </dl>
          <table class="count-table">
            <caption>{words.faults}</caption>
            <tbody>
              {value.timeouts.map(({ timer, count }) => (
                <Row key={timer} name={words.timer(timer)} word={timer.toUpperCase()} count={count} isFault />
              ))}
              {value.losses.map(({ code, count }) => (
                <Row key={code} name={code} word={code} count={count} isFault />
              ))}
            </tbody>
          </table>
          <table class="count-table">
            <caption>{words.kinds}</caption>
            <tbody>
              {kindsOf(value, isTapped).map(({ name, way, count }) => (
                <Row key={`${way} ${name}`} name={`${way} ${name}`} count={count} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}

function Count({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value.toLocaleString()}</dd>
    </div>
  )
}

interface RowProps {
  readonly name: string
  /** What is explained beside it. */
  readonly word?: string
  readonly count: number
  readonly isFault?: boolean
}

function Row({ name, word, count, isFault = false }: RowProps) {
  return (
    <tr class={isFault && count > 0 ? 'is-fault' : ''}>
      <th scope="row">
        {name} {word !== undefined && <Explain word={word} />}
      </th>
      <td>{count.toLocaleString()}</td>
    </tr>
  )
}

const refusedOf = ({ refused: { stranger, in_use } }: Traffic): number => stranger + in_use

function roundTripOf({ round_trip: { count, sum } }: Traffic): string {
  return count === 0 ? words.none : words.milliseconds((sum / count) * 1000)
}

type CsvRow = readonly [what: string, name: string, count: number]

const CSV: readonly CsvColumn<CsvRow>[] = [
  ['what', ([what]) => what],
  ['name', ([, name]) => name],
  ['count', ([, , count]) => count],
]

/** All that is counted: every kind of message, and not only the most frequent ones. */
const csvRows = (traffic: Traffic): readonly CsvRow[] => [
  ['connections', '', traffic.connects],
  ['failed attempts', '', traffic.attempts_failed],
  ...traffic.timeouts.map(({ timer, count }) => ['timeout', timer, count] as const),
  ...traffic.losses.map(({ code, count }) => ['lost connection', code, count] as const),
  ...(['in', 'out'] as const).flatMap((way) =>
    traffic[way].messages.map(({ name, frames }) => [words.ways[way], name, frames] as const),
  ),
]

/** The most frequent kinds of messages. */
const kindsOf = (traffic: Traffic, isTapped: boolean) =>
  (['in', 'out'] as const)
    .flatMap((way) =>
      traffic[way].messages.map(({ name, frames }) => ({
        name,
        way: (isTapped ? words.tappedWays : words.ways)[way],
        count: frames,
      })),
    )
    .sort((one, other) => other.count - one.count)
    .slice(0, KINDS)
