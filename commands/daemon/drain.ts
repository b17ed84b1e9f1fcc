import { Args, Flags } from '@oclif/core'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class DaemonDrain extends GatewayCommand {
  static override summary = 'Give the equipment of a daemon to the other daemons, before maintenance.'
  static override description =
    'The daemon gives its equipment to the others, up to four at a time, and the duties of the site, and takes nothing any more; it goes on to answer calls. The command ends at once: `secsctl daemon nodes` shows "drained" when nothing is left. --undo ends it, and so does a restart of the daemon. Needs the role admin, and another daemon on the same database.'
  static override examples = [
    'secsctl daemon drain gateway-2',
    "secsctl daemon drain gateway-2 --reason 'new memory'",
    'secsctl daemon drain gateway-2 --undo',
  ]
  static override args = {
    node: Args.string({ description: 'Its name or id. Default: the daemon that answers.' }),
  }
  static override flags = {
    undo: Flags.boolean({ summary: 'The daemon takes its share of the equipment again.' }),
    ...REASON_FLAG,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DaemonDrain)
    const id = args.node ?? (await this.#self())
    const node = await this.call(flags.undo ? endpoints.undrainNode : endpoints.drainNode, {
      params: { id },
    })
    this.printRecord(node, [
      ['name', node.name],
      ['draining', node.draining ? 'yes' : 'no'],
      ['equipment', String(node.equipment)],
      ['site duties', node.has_site_duties ? 'yes' : 'no'],
    ])
  }

  /** The id of the daemon that answers. */
  async #self(): Promise<string> {
    const { items } = await this.call(endpoints.listNodes, {})
    return items.find(({ self }) => self)?.id ?? ''
  }
}
