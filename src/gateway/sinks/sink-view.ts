import type { Sink, SinkChange } from '../../contract/topics/sinks/sink.js'
import type { Clock } from '../../kit/clock.js'
import { entriesBetween } from '../../store/gap.js'
import type { Journal } from '../../store/journal.js'
import { NOTHING_DELIVERED, type SinkDelivery, type Tally } from './sink-delivery.js'
import { MAX_DEAD, type SinkRecord } from './sink-record.js'

/** A sink as the API shows it: without its secret, and with its position as it is now where this process delivers. */
export async function sinkView(
  stored: SinkRecord,
  run: SinkDelivery | undefined,
  { journal, clock }: { readonly journal: Journal; readonly clock: Clock },
  tally: Readonly<Tally> = NOTHING_DELIVERED,
): Promise<Sink> {
  const { secret, unopened, unopened_query, paused, position, dead, webhook, ...record } =
    run?.record ?? stored
  const lag = entriesBetween(position, journal.last)
  const next = lag === 0 ? undefined : await journal.get(Math.max(position + 1, journal.first))
  const age = next ? (clock.date().getTime() - Date.parse(next.at)) / 1000 : 0
  const isBlocked = dead.length >= MAX_DEAD && !dead.some(({ retrying }) => retrying)
  const running = run?.lastError ? 'failing' : 'active'
  return {
    messages: null,
    ...record,
    ...(webhook && { webhook: { ...webhook, url: shownUrl(webhook, unopened_query) } }),
    signed: secret !== null || unopened !== undefined,
    state: paused ? 'paused' : isBlocked ? 'blocked' : running,
    position: String(position),
    lag_entries: lag,
    lag_seconds: Math.max(0, age),
    delivered: tally.delivered,
    dead: dead.length,
    last_delivered_at: tally.lastDelivered,
    last_error: run?.lastError ?? null,
  } as Sink
}

/** Queries often hold tokens. */
const shownUrl = ({ url }: { readonly url: string }, unopened: string | undefined): string => {
  const [shown = ''] = url.split('?')
  return unopened !== undefined || shown !== url ? `${shown}?...` : shown
}

/** A change with the URL as it is stored, where it has it as it is shown. */
export function withStoredUrl<Change extends Pick<SinkChange, 'webhook'>>(
  change: Change,
  { webhook, unopened_query }: SinkRecord,
): Change {
  const { webhook: given } = change
  if (!given || !webhook || given.url !== shownUrl(webhook, unopened_query)) return change
  return { ...change, webhook: { ...given, url: webhook.url } }
}
