import { Failure } from '../../src/cli/failure.js'
import { SML_ARGS, SmlCommand, toFlag, type Unit } from '../../src/cli/sml-command.js'
import { decodeBody } from '../../src/secs2/decode.js'

export default class SmlDecode extends SmlCommand {
  static override summary = 'Print the SML of bytes given as hex, one body a line.'
  static override examples = [
    'echo 0101b10400000001 | <%= config.bin %> sml decode',
    '<%= config.bin %> sml decode body.hex --to json',
  ]
  static override args = SML_ARGS
  static override flags = toFlag('sml')

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SmlDecode)
    const lines = (await this.input(args.file)).split('\n').filter((line) => line.trim() !== '')
    await this.printUnits(lines.map(decoded), flags.to)
  }
}

function decoded(line: string, at: number): Unit {
  const hex = line.replace(/0x|[\s:,-]/gi, '')
  if (!/^([0-9a-f]{2})*$/i.test(hex)) throw new Failure('usage', `line ${at + 1} is not hex`)
  try {
    return { item: decodeBody(Buffer.from(hex, 'hex')) }
  } catch (error) {
    throw new Failure('usage', `line ${at + 1} is no SECS-II body: ${(error as Error).message}`)
  }
}
