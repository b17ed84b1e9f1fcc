import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Node } from '../../contract/topics/nodes.js'
import { GatewayCommand } from '../gateway-command.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import type { Column } from '../output/output.js'
import { verb } from '../verb.js'

/** How long a daemon may take for its answer. */
const READY_TIMEOUT_MS = 2_000

export const daemonNodes = verb(GatewayCommand, {
  summary: 'List the daemons that work on one database, and how much equipment each drives.',
  description:
    'Any daemon of the site can respond. LAG is the number of journal entries that a daemon has not read yet. STATE is "here" for the daemon that responds, "gone" for a daemon whose lease has ended (the others take its equipment over), "draining", then "drained", after `secsctl daemon drain`, and "standby" for a daemon that says so at its URL. A daemon on a data folder is the only one.',
  examples: ['secsctl daemon nodes', 'secsctl daemon nodes -o wide', 'secsctl daemon nodes --json'],
  flags: LIST_OUTPUT_FLAGS,
  async run(on) {
    const { items } = await on.call(endpoints.listNodes, {})
    const standby = new Set<string>()
    for (const { id, url } of items.filter(isDrained)) if (url && (await isStandby(url))) standby.add(id)
    const { formatTime } = on
    const columns: readonly Column<Node>[] = [
      { title: 'NAME', text: ({ name }) => name },
      { title: 'STATE', text: (node) => (standby.has(node.id) ? 'standby' : stateOf(node)) },
      { title: 'EQUIPMENT', text: ({ equipment }) => String(equipment) },
      { title: 'LAG', text: ({ lag }) => String(lag) },
      { title: 'SITE', text: ({ has_site_duties }) => (has_site_duties ? 'yes' : ''), spare: true },
      { title: 'URL', text: ({ url }) => url ?? '' },
      { title: 'VERSION', text: ({ version }) => version },
      {
        title: 'SINCE',
        text: ({ started_at }) => formatTime(started_at),
        key: ({ started_at }) => started_at,
      },
      { title: 'ID', text: ({ id }) => id, spare: true },
    ]
    await on.printList(items, columns, 'No daemons.')
  },
})

const isDrained = ({ alive, draining, equipment, has_site_duties }: Node): boolean =>
  alive && draining && equipment === 0 && !has_site_duties

/** A daemon in standby takes no equipment either: it says so itself. */
async function isStandby(url: string): Promise<boolean> {
  try {
    const { text } = await new GatewayClient({ url, timeout: READY_TIMEOUT_MS }).request('GET', '/readyz')
    return (JSON.parse(text) as { readonly standby?: unknown }).standby === true
  } catch {
    return false
  }
}

function stateOf(node: Node): string {
  if (!node.alive) return 'gone'
  if (node.draining) return isDrained(node) ? 'drained' : 'draining'
  return node.self ? 'here' : 'alive'
}
