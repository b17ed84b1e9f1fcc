import { Flags } from '@oclif/core'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { DEFAULT_AMOUNT, LIST_FLAGS } from '../../src/cli/input/list-flags.js'
import { SML_LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { messageColumns, messageSml } from '../../src/cli/messages/message-output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { OUTCOMES } from '../../src/contract/topics/messages.js'

export default class MessagesList extends ListCommand {
  static override summary = 'List recorded SECS messages, newest first.'
  static override examples = [
    'secsctl messages list',
    'secsctl messages list --equipment etcher --message S6F11 --since 1h',
    'secsctl messages list -l area=etch --since 10m',
    'secsctl messages list --outcome timed_out --outcome aborted --since 1d',
    'secsctl messages list -o sml',
    'secsctl messages list -o csv --columns at,message,ms --sort ms:desc',
  ]
  static override flags = {
    ...LIST_FLAGS,
    message: Flags.string({ helpValue: 'SxFy', summary: 'Only this message (S6F11), or this stream (S6).' }),
    direction: Flags.option({
      options: ['sent', 'received'] as const,
      summary: 'Only those that went this way.',
    })(),
    outcome: Flags.option({
      options: OUTCOMES,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Only primaries with this outcome. May be repeated.',
    })(),
    ...SML_LIST_OUTPUT_FLAGS,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(MessagesList)
    const [, stream, fn] = /^S(\d+)(?:F(\d+))?$/i.exec(flags.message ?? '') ?? []
    if (flags.message !== undefined && stream === undefined) {
      throw wrongUsage(
        `--message takes a message such as S6F11 or a stream such as S6, not "${flags.message}"`,
      )
    }
    const query = {
      stream: stream && Number(stream),
      function: fn && Number(fn),
      direction: flags.direction,
      outcome: flags.outcome,
    }
    await this.printRecords(endpoints.listMessages, { ...DEFAULT_AMOUNT, ...flags }, query, {
      columns: messageColumns,
      none: 'No messages.',
      sml: messageSml,
    })
  }
}
