import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { survey } from '../../inspection/survey/equipment-survey.js'
import { recordedModel, type WireOf } from '../../inspection/survey/recorded-model.js'
import { shellWord } from '../../kit/shell-word.js'
import { textCodec } from '../../secs2/text.js'
import { ModelError, parseModel } from '../../simulator/model-file.js'
import { outputFlag } from '../base-command.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { writeFault } from '../errors/file-fault.js'
import { GatewayCommand } from '../gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../input/arguments.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { verb } from '../verb.js'

export const simulatorRecord = verb(GatewayCommand, {
  summary: 'Make a model of real equipment for the simulator.',
  description:
    'Asks the equipment for everything that GEM can report: its names (S1F1), variables with their values (S1F11, S1F3, S1F21), collection events (S1F23), their reports (S6F17; without a reply, the reports that the gateway applied), constants with their bounds (S2F29, S2F13), limits of variables (S2F47), alarms (S5F5), and process programs (S7F19). Changes nothing in the equipment. The comments in the file list the questions without a reply. GEM does not report remote commands and behaviour: add them by hand.',
  examples: [
    'secsctl simulator record etcher > my-etcher.yaml',
    'secsctl simulator record etcher --to my-etcher.yaml --programs',
  ],
  args: { equipment: EQUIPMENT_ARGUMENT },
  flags: {
    to: textFlag('FILE', 'A new file to write; standard output when left out.'),
    programs: switchFlag('Fetch the bodies of process programs, too (S7F5).'),
    output: outputFlag(['json']),
  },
  async run(on, { args, flags }) {
    // Before the equipment is asked for anything.
    if (flags.to !== undefined && existsSync(flags.to)) throw isThere(flags.to)
    const equipment = await on.equipment(args.equipment)
    const found = await survey(await on.client(), equipment, {
      programs: flags.programs,
      asking: (what) => on.note(`asking for ${what}`),
    })
    const text = recordedModel(found, on.clock.date().toISOString(), wireIn(equipment.text_encoding))
    const to = flags.to ?? 'the model'
    requireReadable(text, to)
    if (flags.to !== undefined) await writeNew(flags.to, text)
    for (const { part, messages, why } of found.lacks) on.note(`no reply: ${part} (${messages}): ${why}`)
    if (on.format === 'json') on.printJson({ file: flags.to ?? null, model: text, lacks: found.lacks })
    else if (flags.to === undefined) on.environment.stdout.isTTY ? on.print(text) : on.printAsIs(text)
    else on.note(`wrote ${flags.to}; secsctl simulator run ${shellWord(flags.to)}`)
  },
})

/** Gives text as the equipment sends it, with `?` for a character that its encoding cannot write. */
export const wireIn = (encoding: string): WireOf => {
  const codec = textCodec(encoding)
  return (text) => {
    const encoder = codec.encoder()
    return (encoder.write(text) + encoder.end()).replace(/[\u0100-\u{10ffff}]/gu, '?')
  }
}

const isThere = (path: string): Failure => wrongUsage(`${path} is there already: name another file`)

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw isThere(path)
    throw wrongUsage(`cannot write ${path}: ${writeFault(error)}`)
  }
}

/** An equipment may report more than a model can hold. */
function requireReadable(text: string, name: string): void {
  try {
    parseModel(text, name)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    throw new Failure('unexpected', `no valid model can be made of the replies:\n${error.message}`)
  }
}
