import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import type {
  Conversation,
  Exchange,
  Primary,
  PrimaryReply,
  SecsMessage,
} from '../../src/gem/conversation.js'
import { Host } from '../../src/gem/host/host.js'
import { subjectOfStream9 } from '../../src/gem/message-header.js'
import { HsmsDriver } from '../../src/hsms/hsms-driver.js'
import type { DataMessage } from '../../src/hsms/message.js'
import { HSMS_DEFAULTS, type HsmsSettings } from '../../src/hsms/settings.js'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { systemClock } from '../../src/kit/clock.js'
import { decodeBody } from '../../src/secs2/decode.js'
import { encodeBody } from '../../src/secs2/encode.js'

/** A host on a wire without a gateway around it: nothing is recorded, everything is answered at once. */
export class HostSession implements Conversation {
  readonly driver: HsmsDriver
  readonly host: Host
  /** The primaries that came, in order. */
  readonly received: Primary[] = []

  constructor(settings: Pick<HsmsSettings, 'role' | 'port'> & Partial<HsmsSettings>) {
    this.driver = new HsmsDriver(
      {
        ...HSMS_DEFAULTS,
        host: '127.0.0.1',
        deviceId: 0,
        ...settings,
        timers: { ...HSMS_DEFAULTS.timers, t3: 2000, t5: 200, ...settings.timers },
      },
      { clock: systemClock, listeners: new Listeners() },
    )
    this.host = new Host(this, {
      clock: systemClock,
      establishDelay: 200,
      view: () => ({ catalogue: STANDARD_CATALOGUE }),
    })
    this.driver.changed.on(({ from, to }) => {
      if (to === 'SELECTED') this.host.selected()
      else if (from === 'SELECTED') this.host.linkLost()
    })
    this.driver.received.on(({ kind, message }) => kind === 'primary' && this.#take(message))
  }

  async start(): Promise<void> {
    this.host.enable()
    await this.driver.start()
  }

  async stop(): Promise<void> {
    await this.driver.stop()
    this.host.disable()
  }

  async request({ stream, function: fn, item }: SecsMessage): Promise<Exchange> {
    const systemBytes = this.driver.reserve()
    if (systemBytes === undefined) return { kind: 'busy' }
    const outcome = await this.driver.request({
      sessionId: this.driver.settings.deviceId,
      stream,
      function: fn,
      wait: true,
      systemBytes,
      body: encodeBody(item),
    })
    if (outcome.kind === 'replied') return { kind: 'replied', item: decodeBody(outcome.reply.body) }
    return 'reply' in outcome ? { kind: outcome.kind } : outcome
  }

  #take(message: DataMessage): void {
    const { stream, function: fn, wait } = message
    const primary = { stream, function: fn, wait, item: decodeBody(message.body) }
    this.received.push(primary)
    const about = subjectOfStream9(primary)
    if (about) this.driver.end(about, { kind: 'error', reply: message })
    const answer = this.host.replyTo(primary)
    if (answer.kind !== 'none') this.#answer(message, answer)
  }

  #answer(message: DataMessage, answer: Exclude<PrimaryReply, { kind: 'none' }>): void {
    const reply = answer.kind === 'reply' ? answer.message : undefined
    const body = encodeBody(reply?.item)
    this.driver.send({ ...message, function: reply?.function ?? 0, wait: false, body })
  }
}
