import type { Exchange, SecsMessage } from '../../../src/gem/conversation.js'
import type { Item } from '../../../src/secs2/item.js'
import type { Faults } from '../../../src/simulator/faults.js'
import type { Notice } from '../../../src/simulator/gem300/notice.js'
import { Tool } from '../../../src/simulator/gem300/tool.js'
import { toolReplies } from '../../../src/simulator/gem300/tool-replies.js'
import type { ToolSettings } from '../../../src/simulator/gem300/tool-settings.js'
import { ManualClock } from '../../support/manual-clock.js'
import { ToolHost } from './tool-host.js'

export const SEED_OF_CARRIERS = 7

/** A tool on made-up time, and its host, with nothing between them but bodies. */
export class TestTool {
  readonly clock = new ManualClock()
  readonly faults: Faults = {}
  readonly notices: Notice[] = []
  /** S16F7 and S16F9. */
  readonly sent: SecsMessage[] = []
  readonly tool: Tool
  readonly host: ToolHost
  isRemote = true
  protected readonly replies: ReadonlyMap<string, (item: Item | undefined) => Item | undefined>

  constructor(settings: ToolSettings, recipes: readonly string[] = ['OXIDE-ETCH-01']) {
    const outside = {
      clock: this.clock,
      faults: this.faults,
      seed: SEED_OF_CARRIERS,
      recipes: () => recipes,
      time: () => '2026112812000000',
      note: (notice: Notice) => void this.notices.push(notice),
      settled: () => {},
      send: (message: SecsMessage) => void this.sent.push(message),
    }
    this.tool = new Tool(settings, outside, 'TOOL')
    const rules = toolReplies(this.tool, { isRemote: () => this.isRemote, faults: this.faults })
    this.replies = new Map(rules.map(({ message, ofItem }) => [message, ofItem ?? (() => undefined)]))
    this.host = new ToolHost(settings, async ({ stream, function: fn, item }): Promise<Exchange> => {
      const reply = this.replies.get(`S${stream}F${fn}`)?.(item)
      return reply ? { kind: 'replied', item: reply } : { kind: 'error' }
    })
    this.tool.start()
  }

  /** The transitions and other events since the last call, such as `carrier_id 3 FOUP7`. */
  happened(): string[] {
    return this.notices
      .splice(0)
      .map(({ what, subject }) =>
        typeof what === 'string' ? `${what} ${subject}` : `${what.machine} ${what.number} ${subject}`,
      )
  }

  pass(ms = 100_000): void {
    this.clock.advance(ms)
  }
}
