import { Flags } from '@oclif/core'
import { outputFlag } from '../../src/cli/base-command.js'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { fileFor, isForEach } from '../../src/cli/input/file-pattern.js'
import { CaptureFile } from '../../src/cli/wire/capture-file.js'
import { checkWireLogs } from '../../src/cli/wire/wire-logs.js'
import { recordsLost } from '../../src/client/capture-blocks.js'
import { Unreachable } from '../../src/client/failures.js'
import { captureWire } from '../../src/client/wire.js'
import type { Equipment } from '../../src/contract/equipment.js'
import { shellWord } from '../../src/kit/shell-word.js'

export default class WireCapture extends EquipmentCommand {
  static override summary = 'Capture what passes between the gateway and an equipment, for Wireshark.'
  static override description =
    'Writes a pcapng file, which Wireshark can open while it grows, until Ctrl-C or --count. Set the port in Wireshark: Decode As HSMS, or `-d tcp.port==5000,hsms`. Nothing is stored in the gateway. Of several equipments, 8 at most, each gets a file: --file has {equipment} in it.'
  static override examples = [
    'secsctl wire capture etcher --file etcher.pcapng',
    'secsctl wire capture etcher --count 100 --file etcher.pcapng',
    "secsctl wire capture 'etch-*' --file 'captures/{equipment}.pcapng'",
    'secsctl wire capture etcher | wireshark -k -i - -d tcp.port==5000,hsms',
  ]
  static override strict = false
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = {
    count: Flags.integer({ char: 'n', min: 1, helpValue: 'N', summary: 'End after so many HSMS messages.' }),
    file: Flags.string({
      char: 'f',
      helpValue: 'FILE',
      summary:
        'Write to this file, which must not be there yet; standard output when left out. {equipment} is replaced, and folders made.',
    }),
    ...TARGET_FLAGS,
    output: outputFlag(['json']),
  }

  protected override checkSeveral({ file }: { readonly file?: string }, chosen: readonly Equipment[]): void {
    if (file === undefined || !isForEach(file))
      throw wrongUsage('captures of several equipments need --file with {equipment} in it: each gets a file')
    checkWireLogs(chosen)
  }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(WireCapture)
    const { count } = flags
    const { stdout } = this.environment
    if (flags.file === undefined && stdout.isTTY) {
      throw wrongUsage(
        'a capture is bytes, which a terminal cannot show: name a file, or pipe it into Wireshark',
        `secsctl wire capture ${shellWord(args.equipment)} --file ${shellWord(`${args.equipment}.pcapng`)}`,
      )
    }
    const client = await this.client()
    const { id, name, port } = await this.equipment(args.equipment)
    const file = flags.file === undefined ? undefined : fileFor(flags.file, { equipment: name })
    const signal = this.environment.interruption.hold()
    const query = count === undefined ? {} : { count }
    const kept = file === undefined ? undefined : new CaptureFile(file)
    let lost = 0
    try {
      for await (const blocks of captureWire(client.options, id, query, signal)) {
        lost += recordsLost(blocks)
        if (kept) kept.write(blocks)
        // As fast as the reader takes it: the gateway leaves out and counts what is not taken in time.
        else await new Promise<void>((resolve) => stdout.write(blocks, () => resolve()))
      }
    } finally {
      kept?.close()
    }
    if (lost > 0) {
      this.note(
        `${lost} records are missing: more passed than could be written. Comments in the file mark the places.`,
      )
    }
    if (kept) {
      this.note(`${kept.bytes} bytes in ${file}. Open it: wireshark -d tcp.port==${port},hsms ${file}`)
    }
    if (count === undefined && !signal.aborted)
      throw new Unreachable(client.options.url, `The gateway ended the wire log of ${name}.`)
  }
}
