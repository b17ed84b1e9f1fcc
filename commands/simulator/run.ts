import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { parseAddress } from '../../src/cli/equipment-flags.js'
import { Failure } from '../../src/cli/failure.js'
import { paint } from '../../src/cli/highlight.js'
import { interruption } from '../../src/cli/interruption.js'
import { readText } from '../../src/cli/standard-input.js'
import type { Model } from '../../src/simulator/model.js'
import { ModelError, parseModel } from '../../src/simulator/model-file.js'
import { SHIPPED_MODELS, shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import type { Crossing } from '../../src/simulator/wire.js'

export default class SimulatorRun extends BaseCommand {
  static override summary = 'Run a simulated GEM equipment, and print what crosses the wire.'
  static override description =
    `Models that come with it: ${SHIPPED_MODELS.join(', ')}. Any other is a JSON file.`
  static override examples = [
    '<%= config.bin %> simulator run etcher --port 5000',
    '<%= config.bin %> simulator run etcher --active 127.0.0.1:5001',
    '<%= config.bin %> simulator run ./my-equipment.json --port 0 --json',
  ]
  static override args = {
    model: Args.string({ default: 'etcher', ignoreStdin: true, description: 'A model by name, or a file.' }),
  }
  static override flags = {
    host: Flags.string({ default: '127.0.0.1', helpValue: 'ADDRESS', summary: 'Address to listen on.' }),
    port: Flags.integer({
      default: 5000,
      min: 0,
      max: 65535,
      helpValue: 'N',
      summary: 'Port to listen on; 0 takes a free one.',
    }),
    active: Flags.string({ helpValue: 'HOST:PORT', summary: 'Dial the gateway there instead of listening.' }),
    'device-id': Flags.integer({ default: 0, min: 0, max: 32767, helpValue: 'N', summary: 'Device ID.' }),
    quiet: Flags.boolean({ char: 'q', summary: 'Do not print what crosses the wire.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SimulatorRun)
    const model = await modelNamed(args.model)
    const dialled = flags.active === undefined ? undefined : parseAddress(flags.active, '--active')
    const signal = interruption.hold()
    const simulator = new Simulator(
      model,
      {
        role: dialled ? 'active' : 'passive',
        host: dialled?.ip_address ?? flags.host,
        port: dialled?.port ?? flags.port,
        deviceId: flags['device-id'],
      },
      { clock: this.clock },
    )
    if (!flags.quiet) simulator.log.on((crossing) => this.#tell(crossing))
    simulator.connectionChanged.on(({ to, cause }) => this.note(`${to}: ${cause}`))
    simulator.changed.on(({ to, cause }) => this.note(`${to}: ${cause}`))
    try {
      await simulator.start()
    } catch (error) {
      throw new Failure(
        'state',
        `cannot listen: ${(error as Error).message}`,
        'another --port, or 0 for a free one',
      )
    }
    const where = dialled ? `dialling ${flags.active}` : `listening on ${flags.host}:${simulator.port}`
    if (this.format === 'json')
      this.printLine({ model: args.model, listening: !dialled, port: simulator.port })
    else this.print(where)
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve())
      if (signal.aborted) resolve()
    })
    await simulator.stop()
  }

  #tell({ at, direction, sml, ...header }: Crossing): void {
    if (this.format === 'json') return this.printLine({ at: at.toISOString(), direction, ...header, sml })
    const way = direction === 'sent' ? 'equipment -> host' : 'equipment <- host'
    this.printPainted(`${paint.dim(`/* ${at.toISOString()} ${way} */`)}\n${sml}`)
  }
}

async function modelNamed(given: string): Promise<Model> {
  try {
    return shippedModel(given) ?? parseModel(await readText(given, 'the model'))
  } catch (error) {
    if (error instanceof ModelError) throw new Failure('usage', `${given} is no model:\n${error.message}`)
    if (!(error instanceof Failure)) throw error
    throw new Failure('usage', `there is no model "${given}": ${SHIPPED_MODELS.join(', ')}, or a file`)
  }
}
