import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import type { GatewayClient } from '../../client/client.js'
import { captureWire } from '../../client/wire.js'
import { endpoints } from '../../contract/endpoints.js'
import { DEFAULT_TIMERS, type NewEquipment, type Timers } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'
import { shellWord } from '../../kit/shell-word.js'
import type { LadderMessage } from '../../ladder/rungs.js'
import { unreachable } from '../../probe/reachable.js'
import { type RunResult, type StepResult, verdictOf } from '../../scenario/run/result.js'
import { siteOf } from '../../scenario/run/site.js'
import { BaseCommand } from '../base-command.js'
import { inTemporaryFolder } from '../demo/temporary-place.js'
import { equipmentGiven, parseAddress } from '../equipment/equipment-flags.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { writeFault } from '../errors/file-fault.js'
import { required } from '../input/arguments.js'
import { choiceFlag, textFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { runHsmsSuite } from './hsms-suite.js'
import {
  aboutOf,
  MAX_MESSAGES,
  messagesAt,
  printing,
  REPORT_FLAGS,
  type ReportFlags,
  rangeOf,
  report,
  requireRunnable,
  runSteps,
} from './run-and-report.js'
import { scenarioNamed } from './scenario-file.js'
import { disconnected, gatewayIn, TALK_FLAGS } from './temporary-gateway.js'

/** Seconds in which the equipment has to be connected and communicating. */
const CONNECT_S = 20
/** Milliseconds for the first TCP connection. */
const REACH_MS = 4000

export const conformCommand = verb(BaseCommand, {
  summary: 'Test HSMS and GEM at an address, and write one report. Needs no gateway.',
  description:
    'First checks HSMS with connections of its own: control messages, wrong messages and timers, which takes a minute or two; --timer gives the timers of the equipment. Then starts a gateway with a temporary folder, connects it to the address, runs the scenario gem, and removes all of it. Equipment has one session, so its own host has to be disconnected. Writes a page with all checks and their messages, and next to it the messages as pcapng for Wireshark. Existing files are replaced. Exit code 0: all passed. 8: one failed. 7: none failed, and one is inconclusive. 6: nothing listens at the address. 2: a flag is wrong; nothing was sent.',
  examples: [
    'secsctl conform 10.0.0.5:5000',
    'secsctl conform 10.0.0.5:5000 --device-id 3 --html etcher.html',
    'secsctl conform 10.0.0.5:5000 --only hsms --timer t7=5s',
    'secsctl conform 10.0.0.9:4001 --transport secs1-tcp --junit gem.xml',
  ],
  args: { address: required('HOST:PORT at which the equipment listens.') },
  flags: {
    html: textFlag('FILE', 'The report; the capture has the same name with .pcapng.', {
      default: 'conform.html',
    }),
    junit: REPORT_FLAGS.junit,
    only: choiceFlag(
      ['hsms', 'gem'] as const,
      'Only the checks of HSMS (SEMI E37), or only those of GEM (SEMI E30).',
    ),
    transport: choiceFlag(
      ['hsms', 'secs1-tcp'] as const,
      'How messages are transported: HSMS, or SECS-I over TCP.',
    ),
    ...TALK_FLAGS,
  },
  async run(on, { args, flags }) {
    const { address } = args
    const isOverHsms = (flags.transport ?? 'hsms') === 'hsms'
    if (flags.only === 'hsms' && !isOverHsms) throw wrongUsage('--only hsms goes with --transport hsms')
    const captured = `${flags.html.replace(/\.html?$/, '')}.pcapng`
    const target = { address, place: parseAddress(address, 'ADDRESS'), given: equipmentGiven(flags) }
    requireRunnable(on, scenarioNamed('gem'), flags, [captured])
    const wanted = { hsms: flags.only !== 'gem' && isOverHsms, captured, flags }
    await requireReachable(on, target)
    if (flags.only === 'hsms') return checks(on, target, wanted)
    await inTemporaryFolder(on, 'secsctl-conform-', async (temporary) => {
      // The gateway refuses wrong values of flags, before anything is sent.
      const { client, stop } = await gatewayIn(on, temporary)
      const { id } = await client.call(endpoints.createEquipment, { body: newEquipment(target) })
      temporary.endsByItself()
      await checks(on, target, wanted, { client, id, stop })
    })
  },
})

/** A gateway that knows the equipment. */
interface Gateway {
  readonly client: GatewayClient
  readonly id: string
  readonly stop: () => Promise<unknown>
}

interface Wanted {
  /** Whether HSMS is checked. */
  readonly hsms: boolean
  readonly captured: string
  readonly flags: ReportFlags & { readonly html: string }
}

/** Runs the checks, those of GEM over the gateway, and writes the reports. */
async function checks(
  on: BaseCommand,
  target: Target,
  { hsms: isHsms, captured, flags }: Wanted,
  gateway?: Gateway,
): Promise<void> {
  const { address } = target
  const file = new CaptureFile(captured)
  const ended = printing(on)
  const began = on.clock.date().getTime()
  try {
    const hsms = isHsms ? await hsmsOf(on, target, file, ended) : NO_STEPS
    const isOver = on.environment.interruption.hold().aborted
    // Equipment that gives no session to the checks gives none to the gateway.
    const hasSession = (hsms.steps[0]?.verdict ?? 'passed') === 'passed'
    const gem =
      gateway && hasSession && !isOver
        ? await gemOf(on, target, gateway, file, ended).catch((error: unknown) => {
            if (hsms.steps.length === 0) throw error
            return unconnected(error, on, ended)
          })
        : NO_STEPS
    const steps = [...hsms.steps, ...gem.steps]
    const messages = [...hsms.messages, ...gem.messages]
    const name = `${[hsms, gem].flatMap(({ title }) => title ?? []).join(' and ')} interface`
    const at = { began, ended: on.clock.date().getTime() }
    const about = gem.about ?? { ...aboutOf(on, undefined), address }
    const result = { name, equipment: address, ...at, steps, verdict: verdictOf(steps), about }
    await report(on, result, within(messages), flags)
    if (file.fault !== undefined)
      throw new Failure('unexpected', `the capture ${captured} is not whole: ${file.fault}`)
  } catch (error) {
    removeEmpty(captured)
    throw error
  } finally {
    file.close()
  }
}

/** The equipment, and how the gateway and it talk to each other. */
interface Target {
  readonly address: string
  readonly place: ReturnType<typeof parseAddress>
  readonly given: ReturnType<typeof equipmentGiven>
}

/** Names that the gateway asks for by itself would stand among the messages of the checks. */
const newEquipment = ({ place, given }: Target): NewEquipment => ({
  name: 'equipment',
  gem_startup: false,
  ...place,
  ...given,
})

/** Throws where nothing listens: all checks would only say so, each after its time. */
async function requireReachable({ clock }: BaseCommand, { address, place }: Target): Promise<void> {
  const { ip_address: host, port } = place
  const why = await unreachable({ host, port }, clock, REACH_MS)
  if (why !== undefined)
    throw new Failure('unreachable', `${address}: ${why}`, `secsctl equipment test ${shellWord(address)}`)
}

/** Steps with what passed during them. */
interface Suite {
  readonly title?: string
  readonly steps: readonly StepResult[]
  readonly messages: readonly LadderMessage[]
  readonly about?: RunResult['about']
}
const NO_STEPS: Suite = { steps: [], messages: [] }

/** Equipment whose HSMS was checked, and which the gateway could not connect: what was found is reported all the same. */
function unconnected(
  error: unknown,
  { clock, environment }: BaseCommand,
  ended: (step: StepResult) => void,
): Suite {
  const isInterrupted = environment.interruption.hold().aborted
  if (!(error instanceof Failure && (error.kind === 'timeout' || isInterrupted))) throw error
  const at = clock.date().getTime()
  const step: StepResult = {
    number: '2.1',
    groups: ['GEM (SEMI E30)'],
    title: 'The gateway connects the equipment',
    place: { file: 'gem', line: 0, column: 0 },
    verdict: 'inconclusive',
    detail: error.message,
    began: at,
    ended: at,
    after: 0,
    last: 0,
  }
  ended(step)
  return { title: 'GEM', steps: [step], messages: [] }
}

/** Nothing was reported: the capture is removed, unless something is in it. */
function removeEmpty(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file)
}

const within =
  (messages: readonly LadderMessage[]) =>
  async (after: number, last: number, limit: number): Promise<readonly LadderMessage[]> =>
    messages.filter(({ id }) => Number(id) > after && Number(id) <= last).slice(0, limit)

/** The checks of HSMS, with connections of their own, whose frames are written to the capture. */
async function hsmsOf(
  on: BaseCommand,
  { place: { ip_address: host, port }, given }: Target,
  file: CaptureFile,
  ended: (step: StepResult) => void,
): Promise<Suite> {
  const { device_id: deviceId = 0, session_id: sessionId = 0xffff, timers = {} } = given
  const options = { host, port, deviceId, sessionId, timers: timersInMs({ ...DEFAULT_TIMERS, ...timers }) }
  const signal = on.environment.interruption.hold()
  const program = `secsctl ${on.config.version}`
  const { capture, ...suite } = await runHsmsSuite(options, '1', program, on.clock, signal, ended)
  for (const blocks of capture) file.write(blocks)
  return { title: 'HSMS', ...suite }
}

const timersInMs = ({ t3, t5, t6, t7, t8, linktest }: Timers) => ({
  t3: t3 * 1000,
  t5: t5 * 1000,
  t6: t6 * 1000,
  t7: t7 * 1000,
  t8: t8 * 1000,
  linktest: linktest * 1000,
})

/** The scenario gem over a gateway, whose messages are written to the capture. */
async function gemOf(
  on: BaseCommand,
  { address }: Target,
  { client, id, stop }: Gateway,
  file: CaptureFile,
  ended: (step: StepResult) => void,
): Promise<Suite> {
  const { ended: written } = await capture(client, id, file)
  try {
    const signal = on.environment.interruption.hold()
    await connect(client, id, address, signal)
    const site = siteOf(client, id, on.clock, signal)
    const second = (step: StepResult): StepResult => ({
      ...step,
      number: `2.${step.number}`,
      groups: ['GEM (SEMI E30)', ...step.groups],
    })
    const job = { scenario: scenarioNamed('gem'), name: address, site }
    const result = await runSteps(on, job, {}, (step) => ended(second(step)))
    const messages = await messagesAt(site)(...rangeOf(result), MAX_MESSAGES)
    return { title: 'GEM', steps: result.steps.map(second), messages, about: result.about }
  } finally {
    await disconnected(client, id)
    await stop()
    await written
  }
}

/** Connects the equipment. One that refuses S1F13 has a connection, so that its checks can be run. */
async function connect(
  client: GatewayClient,
  id: string,
  address: string,
  signal: AbortSignal,
): Promise<void> {
  const params = { id }
  try {
    await client.call(endpoints.connectEquipment, { params, query: { wait: CONNECT_S } }, { signal })
  } catch (error) {
    if (signal.aborted) throw new Failure('unexpected', 'interrupted')
    if (!(error instanceof Problem)) throw error
    const { connection_state: state } = await client.call(endpoints.getEquipment, { params })
    if (state === 'SELECTED') return
    const hint = `secsctl equipment test ${shellWord(address)}`
    throw new Failure('timeout', `${address} is not connected: ${error.message}`, hint, error)
  }
}

/** A capture that is written while the checks run. One that cannot be written any more, on a full disk, ends no check. */
class CaptureFile {
  readonly #file: number
  /** Why it is not whole. */
  fault: string | undefined

  constructor(readonly path: string) {
    try {
      this.#file = openSync(path, 'w', 0o600)
    } catch (error) {
      throw new Failure('usage', `cannot write ${path}: ${writeFault(error)}`, undefined, error)
    }
  }

  write(blocks: Uint8Array): void {
    if (this.fault !== undefined) return
    try {
      writeSync(this.#file, blocks)
    } catch (error) {
      this.fault = writeFault(error)
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** Writes what passes on the wire to a file, from now on until the gateway ends. Resolves when the capture has begun. */
async function capture(
  { options }: GatewayClient,
  id: string,
  file: CaptureFile,
): Promise<{ readonly ended: Promise<void> }> {
  const blocks = captureWire(options, id, {}, new AbortController().signal)
  const first = await blocks.next()
  const write = async (): Promise<void> => {
    if (!first.done) file.write(first.value)
    for await (const block of blocks) file.write(block)
  }
  return { ended: write().catch(() => {}) } // the gateway has ended
}
