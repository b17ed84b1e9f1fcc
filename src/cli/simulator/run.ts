import { Args } from '@oclif/core'
import { aborted } from '../../kit/deferred.js'
import { ControlDesk } from '../../simulator/control/control-desk.js'
import { ControlPort } from '../../simulator/control/control-port.js'
import { SHIPPED_MODELS } from '../../simulator/shipped-models.js'
import { Simulator } from '../../simulator/simulator.js'
import { StateError } from '../../simulator/state/memory.js'
import { StateFile } from '../../simulator/state/state-file.js'
import type { Crossing } from '../../simulator/wire.js'
import { captureWire } from '../../simulator/wire-capture.js'
import { BaseCommand } from '../base-command.js'
import {
  ACTIVE_FLAG,
  HOST_FLAG,
  LINE_FLAGS,
  lineGiven,
  PORT_FLAG,
  placeGiven,
  TIMER_FLAG,
  timersGiven,
} from '../equipment/equipment-place-flags.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { numberFlag, switchFlag, textFlag } from '../input/flags.js'
import { END_WORDS, LivePrompt } from '../input/live-prompt.js'
import { paint } from '../output/highlight.js'
import { verb } from '../verb.js'
import { CaptureFile } from '../wire/capture-file.js'
import { CONTROL_FLAG } from './control-flag.js'
import { resultText } from './control-reply.js'
import { listening, modelNamed } from './simulator-model.js'

/** A command with a prompt: what it prints goes by above the line that is typed. */
abstract class PromptCommand extends BaseCommand {
  prompt: LivePrompt | undefined

  endPrompt(): void {
    const { prompt } = this
    this.prompt = undefined
    prompt?.close()
  }

  override note(text: string): void {
    this.#above(() => super.note(text))
  }

  override printAsIs(text: string): void {
    this.#above(() => super.printAsIs(text))
  }

  #above(print: () => void): void {
    if (this.prompt) this.prompt.above(print)
    else print()
  }
}

export const simulatorRun = verb(PromptCommand, {
  summary: 'Run a simulated GEM equipment, and print what crosses the wire.',
  description: `Included models: ${SHIPPED_MODELS.join(', ')}. For your own model, give a YAML or JSON file: "simulator show etcher" prints one as a starting point. On a terminal you can type commands while it runs ("help" lists them): set a variable, raise an alarm, go offline, reply late or wrong, drop the connection, or load and unload the carriers of etch300, a GEM 300 tool. With --control, scripts give the same commands ("simulator tell"). With --state a file keeps what GEM equipment keeps while its power is off: constants, reports with their links, enabled events, limits, process programs, the spool, the operator's switch and the clock. Variables, alarms and the processing state start again from the model.`,
  examples: [
    'secsctl simulator run etcher --port 5000',
    'secsctl simulator run etcher --active 127.0.0.1:5001',
    'secsctl simulator run furnace --seed 7 --control 5999 --capture oven.pcapng',
    'secsctl simulator run track --state track.state',
    'secsctl simulator run etcher --port 4001 --transport secs1-tcp',
    'secsctl simulator run ./my-equipment.yaml --port 0 --json',
  ],
  args: {
    model: Args.string({ default: 'etcher', ignoreStdin: true, description: 'A model by name, or a file.' }),
  },
  flags: {
    host: HOST_FLAG,
    port: PORT_FLAG,
    active: ACTIVE_FLAG,
    ...LINE_FLAGS,
    timer: TIMER_FLAG,
    'device-id': numberFlag('Device ID.', { default: 0, min: 0, max: 32767 }),
    seed: numberFlag('Seed of noise and chance: the same seed gives the same behaviour.', {
      default: 0,
      min: 0,
      max: 4_294_967_295,
    }),
    control: CONTROL_FLAG,
    capture: textFlag('FILE', 'Write the frames to this file, which Wireshark opens (pcapng).'),
    state: textFlag('FILE', 'Keep the state in this file, and start from it.'),
    quiet: switchFlag('Do not print what crosses the wire.', { char: 'q' }),
  },

  async run(on, { args, flags }) {
    const model = await modelNamed(on.environment.stdin, args.model)
    const place = placeGiven(flags)
    const dials = place.role === 'active'
    const line = lineGiven(flags)
    const signal = on.environment.interruption.hold()
    const simulator = withState(
      flags.state,
      (disk) =>
        new Simulator(
          model,
          {
            ...place,
            deviceId: flags['device-id'],
            seed: flags.seed,
            line,
            ...timersGiven(flags.timer),
          },
          { clock: on.clock, ...(disk && { disk }) },
        ),
    )
    if (!flags.quiet) simulator.log.on((crossing) => printCrossing(on, crossing))
    simulator.connectionChanged.on(({ to, cause }) => on.note(`${to}: ${cause}`))
    if (line?.serialPort !== undefined) noteFailures(on, simulator)
    simulator.changed.on(({ to, cause }) => on.note(`${to}: ${cause}`))
    const { spool } = simulator.equipment
    spool?.moved.on(({ to, cause }) => on.note(`${to}: ${cause}, ${spool.counts.actual} messages`))
    simulator.equipment.terminal.on(({ terminal, lines }) =>
      on.note(`terminal ${terminal}: ${lines.join('\n')}`),
    )
    const desk = new ControlDesk(simulator)
    const port = flags.control === undefined ? undefined : new ControlPort(desk)
    const control =
      port && (await listening(port.listen(flags.control ?? 0), 'another --control, or 0 for a free one'))
    await listening(simulator.start(), 'another --port, or 0 for a free one')
    // Nothing has been sent yet, and a simulator that cannot listen leaves no file.
    const sink = flags.capture === undefined ? undefined : new CaptureFile(flags.capture)
    if (sink) captureWire(simulator, on.clock, `secsctl ${on.config.version}`, (bytes) => sink.write(bytes))
    const networkPlace = dials ? `dialling ${flags.active}` : `listening on ${flags.host}:${simulator.port}`
    const where = line?.serialPort === undefined ? networkPlace : `at ${line.serialPort}`
    if (on.format === 'json') {
      const serial_port = line?.serialPort
      const at = serial_port === undefined ? { listening: !dials, port: simulator.port } : { serial_port }
      on.printLine({ model: args.model, ...at, ...(control !== undefined && { control }) })
    } else {
      on.print(where)
      if (control !== undefined) {
        on.note(`commands are taken on 127.0.0.1:${control}: secsctl simulator tell ${control} help`)
      }
    }
    try {
      await Promise.race([untilEnded(on, signal, desk, model.name), unkept(simulator, flags.state)])
    } finally {
      on.endPrompt()
      await port?.close()
      await simulator.stop()
      sink?.close()
    }
  },
})

/** A port that cannot be opened is tried again after T5: each reason is said once. */
function noteFailures(on: PromptCommand, simulator: Simulator): void {
  let said: string | undefined
  simulator.attemptFailed.on(({ fault: { detail } }) => {
    if (detail !== said) on.note(detail)
    said = detail
  })
}

/** Takes commands of the person at the terminal, where there is one. */
async function untilEnded(
  on: PromptCommand,
  signal: AbortSignal,
  desk: ControlDesk,
  name: string,
): Promise<void> {
  if (on.format !== 'json' && on.prompts.allowed) {
    on.prompt = new LivePrompt(on.environment, `${name}> `, {
      run: async (line) => {
        const reply = await desk.run(line)
        on.print(reply.ok ? resultText(reply) : `Error: ${reply.error}`)
        if (line.trim() === 'help') on.print(`${END_WORDS.join(', ')}, Ctrl-C or Ctrl-D end it.`)
      },
      complete: (line) => desk.completions(line),
      end: () => process.kill(process.pid, 'SIGINT'),
    })
  }
  await aborted(signal)
}

function printCrossing(on: PromptCommand, { at, direction, sml, ...header }: Crossing): void {
  if (on.format === 'json') return on.printLine({ at: at.toISOString(), direction, ...header, sml })
  const way = direction === 'sent' ? 'equipment -> host' : 'equipment <- host'
  on.printPainted(`${paint.dim(`/* ${at.toISOString()} ${way} */`)}\n${sml}`)
}

/** Rejects when the state cannot be kept any more: later replies to the host would not be true. */
const unkept = ({ memory }: Simulator, path = ''): Promise<never> =>
  new Promise((_, reject) =>
    memory?.failed.on((error) =>
      reject(new Failure('unexpected', `the state cannot be kept in ${path}: ${error.message}`)),
    ),
  )

/** Makes a simulator that keeps its state in a file, where one is named. */
function withState(path: string | undefined, make: (disk: StateFile | undefined) => Simulator): Simulator {
  if (path === undefined) return make(undefined)
  try {
    return make(new StateFile(path))
  } catch (error) {
    if (!(error instanceof StateError || (error as NodeJS.ErrnoException).code !== undefined)) throw error
    throw wrongUsage(`--state ${path}: ${(error as Error).message}`, 'another file, or remove this one')
  }
}
