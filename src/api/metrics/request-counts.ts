import { type Metric, metric, type Sample } from './prometheus-text.js'

/** Seconds; what takes longer than the last is counted among all alone. */
const BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 45, 120]

interface RouteCounts {
  readonly labels: { readonly method: string; readonly route: string }
  readonly statuses: Map<number, number>
  /** How many took no longer than each of the bounds. */
  readonly within: number[]
  seconds: number
  count: number
}

/**
 * Counts requests and the time that they took: as many counts as there are routes, methods and statuses. A counter
 * and a histogram of prom-client take twenty times as long for each request.
 */
export class RequestCounts {
  /** By route and method. */
  readonly #routes = new Map<string, Map<string, RouteCounts>>()

  /** `route`: as it is registered, not as it was asked for. */
  count(method: string, route: string, status: number, seconds: number): void {
    const counts = this.#of(method, route)
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
    counts.count++
    counts.seconds += seconds
    for (let at = BOUNDS.length - 1; at >= 0 && seconds <= (BOUNDS[at] as number); at--) {
      counts.within[at] = (counts.within[at] as number) + 1
    }
  }

  metrics(): Metric[] {
    const all = [...this.#routes.values()].flatMap((methods) => [...methods.values()])
    return [
      metric(
        'counter',
        'http_requests_total',
        'HTTP requests that got a response.',
        all.flatMap(({ labels, statuses }) =>
          [...statuses].map(([status, value]): Sample => [{ ...labels, status }, value]),
        ),
      ),
      metric(
        'histogram',
        'http_request_duration_seconds',
        'Time from a request to its response.',
        all.flatMap(({ labels, within, seconds, count }): Sample[] => [
          ...within.map((value, at): Sample => [{ le: BOUNDS[at] as number, ...labels }, value, '_bucket']),
          [{ le: '+Inf', ...labels }, count, '_bucket'],
          [labels, seconds, '_sum'],
          [labels, count, '_count'],
        ]),
      ),
    ]
  }

  #of(method: string, route: string): RouteCounts {
    const methods = this.#routes.get(route) ?? new Map<string, RouteCounts>()
    const known = methods.get(method)
    if (known) return known
    const within = BOUNDS.map(() => 0)
    const counts = { labels: { method, route }, statuses: new Map(), within, seconds: 0, count: 0 }
    this.#routes.set(route, methods.set(method, counts))
    return counts
  }
}
