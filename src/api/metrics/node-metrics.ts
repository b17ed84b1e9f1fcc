import type { Gateway } from '../../gateway/open-gateway.js'
import { FORWARD_RESULTS, type ForwardResult } from '../forwarding/forwarding.js'
import { type Metric, metric, type Sample } from './prometheus-text.js'

/** The daemons of the site, and the requests that this one forwarded to others. */
export function nodeMetrics(
  { nodes }: Pick<Gateway, 'nodes'>,
  passed: ReadonlyMap<ForwardResult, number>,
): Metric[] {
  const all = nodes.list()
  const gauge = (name: string, help: string, of: (node: (typeof all)[number]) => number): Metric =>
    metric(
      'gauge',
      name,
      help,
      all.map((node): Sample => [{ id: node.id, node: node.name }, of(node)]),
    )
  const count = (alive: boolean): number => all.filter((node) => node.alive === alive).length
  return [
    metric('gauge', 'nodes', 'Daemons of the site.', [
      [{ state: 'alive' }, count(true)],
      [{ state: 'gone' }, count(false)],
    ]),
    gauge('node_equipment', 'Equipment that the daemon drives.', ({ equipment }) => equipment),
    gauge('node_lag_entries', 'Journal entries that the daemon has not read yet.', ({ lag }) => lag),
    metric(
      'counter',
      'forwarded_requests_total',
      'Requests that were forwarded to another daemon, by outcome.',
      FORWARD_RESULTS.map((result): Sample => [{ result }, passed.get(result) ?? 0]),
    ),
  ]
}
