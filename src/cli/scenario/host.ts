import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { NewEquipment } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'
import { siteOf } from '../../scenario/run/site.js'
import { BaseCommand } from '../base-command.js'
import { inTemporaryFolder } from '../demo/temporary-place.js'
import { equipmentGiven, parseAddress } from '../equipment/equipment-flags.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { required } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { textFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { REPORT_FLAGS, requireRunnable, runAndReport } from './run-and-report.js'
import { SET_FLAG, scenarioNamed, variablesGiven } from './scenario-file.js'
import { disconnected, gatewayIn, TALK_FLAGS } from './temporary-gateway.js'

/** Seconds that one call waits at most for a connection. */
const MAX_WAIT_S = 120

export const scenarioHost = verb(BaseCommand, {
  summary: 'Play the host of a scenario for equipment. Needs no gateway.',
  description:
    'For those who make equipment. Listens for equipment that connects to its host, or connects to it, runs the scenario as soon as the equipment communicates, writes the reports, and ends. A gateway with a temporary folder does it, which is removed again. It first asks the equipment for its names, so that a scenario may use them. Exit codes as of "scenario run", and 7 too if no equipment communicates within --wait.',
  examples: [
    'secsctl scenario host lot.yaml --listen 5000',
    'secsctl scenario host lot.yaml --listen 5000 --peer 10.0.0.5',
    'secsctl scenario host gem --connect 127.0.0.1:5000 --junit gem.xml',
  ],
  args: { scenario: required('A scenario that comes with secsctl, or a file.') },
  flags: {
    listen: textFlag('[HOST:]PORT', 'Listen here for equipment that connects to its host (active).'),
    peer: textFlag('ADDRESS', 'With --listen: the address of the equipment; this machine unless given.'),
    connect: textFlag('HOST:PORT', 'Connect to equipment that listens here (passive).'),
    wait: textFlag('DURATION', 'How long to wait until the equipment communicates.', { default: '5m' }),
    set: SET_FLAG,
    ...REPORT_FLAGS,
    ...TALK_FLAGS,
  },
  async run(on, { args, flags }) {
    const { hsmsHost, ...place } = placeGiven(flags)
    const scenario = scenarioNamed(args.scenario, variablesGiven(flags.set))
    const seconds = parseDuration(flags.wait, '--wait') / 1000
    const where = flags.listen ?? flags.connect ?? ''
    const body = { name: 'equipment', ...place, ...equipmentGiven(flags) }
    requireRunnable(on, scenario, flags)
    await inTemporaryFolder(on, 'secsctl-host-', async (temporary) => {
      const { client, stop } = await gatewayIn(on, temporary, hsmsHost)
      const { id } = await client.call(endpoints.createEquipment, { body })
      on.note(flags.listen === undefined ? `connecting to ${where}` : `waiting for equipment at ${where}`)
      await communicates(client, id, on.clock.now() + seconds * 1000, on)
      // Its names, unless the gateway has them by now; equipment need not have any.
      await client.call(endpoints.listCollectionEvents, { params: { id } }).catch(ignoreProblem)
      const signal = on.environment.interruption.hold()
      temporary.endsByItself()
      await runAndReport(on, { scenario, name: where, site: siteOf(client, id, on.clock, signal) }, flags)
      await disconnected(client, id)
      await stop()
    })
  },
})

interface PlaceFlags {
  readonly listen?: string | undefined
  readonly connect?: string | undefined
  readonly peer?: string | undefined
}

const LOOPBACK = '127.0.0.1'

/** Where the equipment is, and where it reaches the host. Only the address of the equipment may connect. */
function placeGiven({
  listen,
  connect,
  peer,
}: PlaceFlags): Pick<NewEquipment, 'ip_address' | 'port' | 'mode'> & { readonly hsmsHost?: string } {
  if ((listen === undefined) === (connect === undefined)) throw wrongUsage('one of --listen and --connect')
  if (connect !== undefined && peer !== undefined) throw wrongUsage('--peer goes with --listen')
  if (connect !== undefined) return parseAddress(connect, '--connect')
  const usual = peer === undefined ? LOOPBACK : '0.0.0.0'
  const given = listen ?? ''
  const { ip_address: hsmsHost, port } = parseAddress(
    /^\d+$/.test(given) ? `${usual}:${given}` : given,
    '--listen',
  )
  if (peer === undefined && hsmsHost !== LOOPBACK)
    throw wrongUsage('--peer is needed: the address of the equipment, since nobody else may connect')
  return { ip_address: peer ?? LOOPBACK, port, mode: 'active', hsmsHost }
}

/** Resolves once the equipment communicates. Throws the reason why it does not. */
async function communicates(
  client: GatewayClient,
  id: string,
  until: number,
  { clock }: BaseCommand,
): Promise<void> {
  for (;;) {
    const wait = Math.min(MAX_WAIT_S, Math.max(1, (until - clock.now()) / 1000))
    try {
      await client.call(endpoints.connectEquipment, { params: { id }, query: { wait } })
      return
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code !== 'not_connected_in_time' || clock.now() >= until)
        throw new Failure('timeout', `no equipment communicates: ${error.message}`, undefined, error)
    }
  }
}

function ignoreProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}
