import { Args } from '@oclif/core'
import { endpoints } from '../../contract/endpoints.js'
import { GatewayCommand } from '../gateway-command.js'
import { switchFlag } from '../input/flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { verb } from '../verb.js'

export const daemonDrain = verb(GatewayCommand, {
  summary: 'Give the equipment of a daemon to the other daemons, before maintenance.',
  description:
    'The daemon gives its equipment to the others, up to four at a time, and the duties of the site, and takes nothing any more; it goes on to answer calls. The command ends at once: `secsctl daemon nodes` shows "drained" when nothing is left. --undo ends it, and so does a restart of the daemon. Needs the role admin, and another daemon on the same database.',
  examples: [
    'secsctl daemon drain gateway-2',
    "secsctl daemon drain gateway-2 --reason 'new memory'",
    'secsctl daemon drain gateway-2 --undo',
  ],
  args: {
    node: Args.string({ description: 'Its name or id. Default: the daemon that answers.' }),
  },
  flags: {
    undo: switchFlag('The daemon takes its share of the equipment again.'),
    ...REASON_FLAG,
  },
  async run(on, { args, flags }) {
    const id = args.node ?? (await self(on))
    const node = await on.call(flags.undo ? endpoints.undrainNode : endpoints.drainNode, {
      params: { id },
    })
    on.printRecord(node, [
      ['name', node.name],
      ['draining', node.draining ? 'yes' : 'no'],
      ['equipment', String(node.equipment)],
      ['site duties', node.has_site_duties ? 'yes' : 'no'],
    ])
  },
})

/** The id of the daemon that answers. */
async function self(on: GatewayCommand): Promise<string> {
  const { items } = await on.call(endpoints.listNodes, {})
  return items.find(({ self }) => self)?.id ?? ''
}
