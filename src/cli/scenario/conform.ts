import { closeSync, openSync, writeSync } from 'node:fs'
import { GatewayClient } from '../../client/client.js'
import { captureWire } from '../../client/wire.js'
import { endpoints } from '../../contract/endpoints.js'
import { Problem } from '../../contract/errors.js'
import { shellWord } from '../../kit/shell-word.js'
import { siteOf } from '../../scenario/run/site.js'
import { BaseCommand } from '../base-command.js'
import { GATEWAY_WORDS, inTemporaryFolder, type TemporaryPlace } from '../demo/temporary-place.js'
import { EQUIPMENT_FLAGS, equipmentGiven, parseAddress } from '../equipment/equipment-flags.js'
import { Failure } from '../errors/failure.js'
import { writeFault } from '../errors/file-fault.js'
import { required } from '../input/arguments.js'
import { choiceFlag, textFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { REPORT_FLAGS, runAndReport } from './run-and-report.js'
import { scenarioNamed } from './scenario-file.js'

/** Seconds in which the equipment has to be connected and communicating. */
const CONNECT_S = 20

export const conformCommand = verb(BaseCommand, {
  summary: 'Test the GEM interface at an address, and write one report. Needs no gateway.',
  description:
    'Starts a gateway with a temporary folder, connects it to the address, runs the scenario gem, and removes all of it. Equipment has one session, so its own host has to be disconnected. Writes a page with all checks and their messages, and next to it the messages as pcapng for Wireshark. Existing files are replaced. Exit code 0: all passed. 8: one failed. 7: none failed, and one is inconclusive, also where nothing responds.',
  examples: [
    'secsctl conform 10.0.0.5:5000',
    'secsctl conform 10.0.0.5:5000 --device-id 3 --html etcher.html',
    'secsctl conform 10.0.0.9:4001 --transport secs1-tcp --junit gem.xml',
  ],
  args: { address: required('HOST:PORT at which the equipment listens.') },
  flags: {
    html: textFlag('FILE', 'The report; the capture has the same name with .pcapng.', {
      default: 'conform.html',
    }),
    junit: REPORT_FLAGS.junit,
    transport: choiceFlag(
      ['hsms', 'secs1-tcp'] as const,
      'How messages are transported: HSMS, or SECS-I over TCP.',
    ),
    'device-id': EQUIPMENT_FLAGS['device-id'],
    'session-id': EQUIPMENT_FLAGS['session-id'],
    timer: EQUIPMENT_FLAGS.timer,
    format: EQUIPMENT_FLAGS.format,
    encoding: EQUIPMENT_FLAGS.encoding,
  },
  async run(on, { args, flags }) {
    const place = parseAddress(args.address, 'ADDRESS')
    // Names that the gateway asks for by itself would stand among the messages of the checks.
    const body = { name: 'equipment', gem_startup: false, ...place, ...equipmentGiven(flags) }
    const file = openedCapture(`${flags.html.replace(/\.html?$/, '')}.pcapng`)
    try {
      await inTemporaryFolder(on, 'secsctl-conform-', async (temporary) => {
        const { client, stop } = await gatewayIn(on, temporary)
        const { id } = await client.call(endpoints.createEquipment, { body })
        const { ended } = await capture(client, id, file)
        await connect(client, id, args.address)
        const scenario = scenarioNamed('gem')
        await runAndReport(on, { scenario, name: args.address, site: siteOf(client, id, on.clock) }, flags)
        await client.call(endpoints.disconnectEquipment, { params: { id } })
        await stop()
        await ended
      })
    } finally {
      closeSync(file)
    }
  },
})

async function gatewayIn(on: BaseCommand, { start, admin }: TemporaryPlace) {
  const daemon = start('gateway', GATEWAY_WORDS)
  const url = (await daemon.line(/^listening on /)).replace('listening on ', '')
  const { token } = await new GatewayClient({ url }).call(endpoints.login, { body: admin })
  return { client: new GatewayClient({ url, token }), stop: () => daemon.stop(on.clock) }
}

/** Connects the equipment. One that refuses S1F13 has a connection, so that its checks can be run. */
async function connect(client: GatewayClient, id: string, address: string): Promise<void> {
  const params = { id }
  try {
    await client.call(endpoints.connectEquipment, { params, query: { wait: CONNECT_S } })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { connection_state: state } = await client.call(endpoints.getEquipment, { params })
    if (state === 'SELECTED') return
    const hint = `secsctl equipment test ${shellWord(address)}`
    throw new Failure('timeout', `${address} is not connected: ${error.message}`, hint, error)
  }
}

function openedCapture(path: string): number {
  try {
    return openSync(path, 'w', 0o600)
  } catch (error) {
    throw new Failure('usage', `cannot write ${path}: ${writeFault(error)}`, undefined, error)
  }
}

/** Writes what passes on the wire to a file, from now on until the gateway ends. Resolves when the capture has begun. */
async function capture(
  { options }: GatewayClient,
  id: string,
  file: number,
): Promise<{ readonly ended: Promise<void> }> {
  const blocks = captureWire(options, id, {}, new AbortController().signal)
  const first = await blocks.next()
  const write = async (): Promise<void> => {
    if (!first.done) writeSync(file, first.value)
    for await (const block of blocks) writeSync(file, block)
  }
  return { ended: write().catch(() => {}) } // the gateway has ended
}
