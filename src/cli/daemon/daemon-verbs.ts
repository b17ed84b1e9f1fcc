import { stat } from 'node:fs/promises'
import { Args } from '@oclif/core'
import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Node } from '../../contract/topics/nodes.js'
import { readAddress } from '../../daemon/address-file.js'
import { systemctl } from '../../daemon/service-unit.js'
import { findDaemon, stopDaemon } from '../../daemon/spawn.js'
import { probeStored } from '../../daemon/stored-files.js'
import { BaseCommand, outputFlag } from '../base-command.js'
import { Failure } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { switchFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import type { Column } from '../output/output.js'
import { SessionCommand } from '../session-command.js'
import { verb } from '../verb.js'
import { daemonFields, notStopped } from './daemon-output.js'
import { machineService, noDaemon, requireNoUnit } from './installed-service.js'
import { SETTING_COLUMNS, shownSettings } from './settings/settings-output.js'
import { requireDataFolder } from './store-url.js'

/** How long a daemon may take to respond. */
const READY_TIMEOUT_MS = 2_000

export const daemonNodes = verb(GatewayCommand, {
  summary: 'List the daemons that work on one database, and how much equipment each drives.',
  description:
    'Any daemon of the site can respond. LAG is the number of journal entries that a daemon has not read yet. STATE is "here" for the daemon that responds, "gone" for a daemon whose lease has ended (the others take its equipment over), "draining", then "drained", after `secsctl daemon drain`, and "standby" for a daemon that says so at its URL. A daemon on a data folder is the only one. VERSION has the build after a +: daemons of one version may be of two builds.',
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

export const daemonDrain = verb(GatewayCommand, {
  summary: 'Give the equipment of a daemon to the other daemons, before maintenance.',
  description:
    'The daemon gives its equipment to the others, up to four at a time, and the duties of the site, and takes no equipment. It still responds to calls. The command ends at once; `secsctl daemon nodes` shows "drained" when the daemon has no equipment left. --undo, or a restart of the daemon, ends the draining. Needs the role admin, and another daemon on the same database.',
  examples: [
    'secsctl daemon drain gateway-2',
    "secsctl daemon drain gateway-2 --reason 'new memory'",
    'secsctl daemon drain gateway-2 --undo',
  ],
  args: {
    node: Args.string({ description: 'Its name or id. Default: the daemon that the command reaches.' }),
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

/** The id of the daemon that the command reaches. */
async function self(on: GatewayCommand): Promise<string> {
  const { items } = await on.call(endpoints.listNodes, {})
  return items.find(({ self }) => self)?.id ?? ''
}

const ADVICE = {
  fine: undefined,
  slow: 'The disk is slow: every message waits that long before it is acknowledged. A local SSD does it in under a millisecond.',
  too_fast:
    'The disk is too fast to be true: it reports writes as safe that are still in memory. What was acknowledged may be gone after a power cut; keep the data folder on a disk of its own.',
} as const

const milliseconds = (value: number): string => `${value.toFixed(value < 1 ? 3 : 1)} ms`

export const daemonBenchDisk = verb(SessionCommand, {
  summary: 'Measure how fast the disk of the data folder stores small writes durably.',
  examples: ['secsctl daemon bench-disk', 'secsctl daemon bench-disk --json'],
  async run(on) {
    await requireDataFolder(on.session, 'daemon bench-disk')
    const { data } = on.folders
    if (!(await stat(data).catch(() => undefined)))
      throw new Failure('missing', `there is no data folder ${data}`, 'secsctl daemon start')
    const probe = await probeStored(data, on.clock)
    on.printRecord(
      { data_folder: data, sync_ms: probe.median, slowest_sync_ms: probe.slowest, verdict: probe.verdict },
      [
        ['data', data],
        ['sync', milliseconds(probe.median)],
        ['slowest', milliseconds(probe.slowest)],
        ['verdict', probe.verdict.replace('_', ' ')],
      ],
    )
    const advice = ADVICE[probe.verdict]
    if (advice !== undefined) on.note(advice)
  },
})

export const daemonStop = verb(BaseCommand, {
  summary: 'Stop the gateway on this machine.',
  description:
    'Takes no new calls, disconnects equipment with Separate.req, and returns when everything is on disk and the data folder is free. The next start connects the equipment again. If the gateway is a service of systemd, prints the command of systemctl instead.',
  examples: ['secsctl daemon stop'],
  async run(on) {
    const { state, data } = on.folders
    await requireNoUnit(on.environment, 'stop')
    const result = await on.during('stopping the daemon', () => stopDaemon(state, data, on.clock))
    if (result === 'still_running') throw notStopped(await readAddress(state))
    const stopped = result === 'stopped'
    const service = stopped ? undefined : await machineService(on.environment)
    if (service?.running)
      on.note(`The gateway of this machine is a service: ${systemctl(service.unit, 'stop')}`)
    on.printDone({ running: false, stopped }, stopped ? 'The daemon has stopped.' : 'No daemon was running.')
  },
})

export const daemonStatus = verb(BaseCommand, {
  summary: 'Tell whether the gateway runs on this machine, where, and with which settings.',
  description:
    'Changes nothing. Each setting is shown with its source: a flag, a variable of the environment, a line of the configuration file, or the default. Secrets are not shown.',
  examples: ['secsctl daemon status', 'eval "$(secsctl daemon status -o env)"'],
  flags: { output: outputFlag(['table', 'tsv', 'json', 'env']) },
  async run(on, { flags }) {
    const { state } = on.folders
    const address = await findDaemon(state, on.clock)
    if (!address) throw await noDaemon(on.environment)
    if (flags.output === 'env' && !flags.json) return on.print(`export SECSCTL_URL='${address.url}'`)
    on.printRecord({ running: true, ...address }, daemonFields(address, on.formatTime))
    if (on.format === 'json' || address.settings === undefined) return
    const restart = address.unit ? systemctl(address.unit, 'restart') : 'secsctl daemon restart'
    if (address.config && (await changedSince(address.config, address.started_at)))
      on.note(`${address.config} was changed after the start, and is read at: ${restart}`)
    on.print('')
    await on.printList(shownSettings(address.settings, address.config), SETTING_COLUMNS, '')
  },
})

const changedSince = async (path: string, time: string): Promise<boolean> => {
  const { mtime } = await stat(path).catch(() => ({ mtime: undefined }))
  return mtime !== undefined && mtime > new Date(time)
}
