import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import { type Finding, inArea } from './finding.js'

const area = inArea('server')
const MEND = 'secsctl daemon nodes'

/** Entries that a daemon may have to read still without a note. */
const MAX_LAG = 10_000

/** Where several daemons work on one database: whether all of them do. */
export async function nodeFindings(client: GatewayClient): Promise<readonly Finding[]> {
  // A server of an earlier version has no such call.
  const nodes = await client.call(endpoints.listNodes, {}).then(
    ({ items }) => items,
    () => [],
  )
  if (nodes.length < 2) return []
  const present = new Set(nodes.filter(({ alive }) => alive).map(({ name }) => name))
  // One that was started again has the same name.
  const gone = nodes.filter(({ alive, name }) => !alive && !present.has(name))
  const faults = [
    ...gone.map(({ name }) => `${name} is gone`),
    ...nodes.filter(({ url, alive }) => alive && url === null).map(({ name }) => `${name} has no URL yet`),
    ...nodes.filter(({ lag }) => lag > MAX_LAG).map(({ name, lag }) => `${name} lags by ${lag} entries`),
  ]
  const versions = new Set(nodes.filter(({ alive }) => alive).map(({ version }) => version))
  if (versions.size > 1) faults.push(`they are of versions ${[...versions].sort().join(', ')}`)
  const detail = `${nodes.length} daemons on one database`
  if (faults.length === 0) return [area.ok('daemons', detail)]
  const text = `${detail}: ${faults.join('; ')}`
  return [
    gone.length > 0 ? area.wrong('unreachable', 'daemons', text, MEND) : area.note('daemons', text, MEND),
  ]
}
