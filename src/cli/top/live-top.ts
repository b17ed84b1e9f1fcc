import type { Cancel, Clock } from '../../kit/clock.js'
import type { Environment } from '../environment.js'
import { wrongUsage } from '../errors/failure.js'
import { Feed, type FeedOptions } from './feed.js'
import { frame } from './frame.js'
import { type Effect, type Key, pressed } from './keys.js'
import type { View } from './line.js'
import { onScreen, pageOf } from './list-frame.js'
import { Screen } from './screen.js'
import { beginning, type News, type TopState, withNews } from './top-state.js'

const DRAW_INTERVAL_MS = 50
const CLOCK_INTERVAL_MS = 1000

export interface LiveTopOptions extends Omit<FeedOptions, 'report' | 'shown'> {
  readonly ascii: boolean
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** Puts sort and filter into the first state. */
  readonly start: (state: TopState) => TopState
  /** Ends it, as a signal from outside does. */
  readonly signal: AbortSignal
}

/** The live screen: the state, what changes it, and when it is drawn. */
export class LiveTop {
  #state: TopState
  readonly #feed: Feed
  readonly #screen: Screen
  readonly #clock: Clock
  readonly #over = new AbortController()
  readonly #ended: AbortSignal
  #drawing: Cancel | undefined
  #ticking: Cancel = () => {}
  #interrupted = false

  constructor(readonly options: LiveTopOptions) {
    const { client, clock, input, output } = options
    this.#clock = clock
    this.#ended = AbortSignal.any([options.signal, this.#over.signal])
    this.#state = options.start(beginning(client.options.url, clock.date()))
    this.#screen = new Screen(input, output, {
      key: (key) => this.#pressed(key),
      resized: () => this.#draw(),
      gone: () => this.#over.abort(),
    })
    this.#feed = new Feed({
      ...options,
      report: (news) => this.#changed(news),
      shown: () => ({ onScreen: onScreen(this.#state, this.#view), opened: this.#state.opened }),
    })
  }

  /** Shows the screen until the person quits; true when that was by Ctrl-C. Then the terminal is as before. */
  async run(): Promise<boolean> {
    await this.#feed.load()
    this.#screen.open()
    this.#tick()
    try {
      await this.#feed.run(this.#ended)
    } finally {
      this.#ticking()
      this.#drawing?.()
      this.#screen.close()
    }
    return this.#interrupted
  }

  get #view(): View {
    return { ...this.#screen.size, ascii: this.options.ascii }
  }

  #changed(news: News): void {
    this.#state = withNews(this.#state, news)
    this.#draw()
  }

  #pressed(key: Key): void {
    const { state, effect } = pressed(this.#state, key, pageOf(this.#state, this.#view))
    this.#state = state
    if (effect) this.#perform(effect)
    this.#draw()
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case 'interrupt':
        this.#interrupted = true
        return this.#over.abort()
      case 'quit':
        return this.#over.abort()
      case 'suspend':
        return this.#screen.suspend()
      case 'redraw':
        return this.#screen.forget()
      case 'read':
        return this.#try(this.#feed.readTraffic())
      case 'acknowledge': {
        const { alid } = effect.alarm
        const done = (): void => this.#changed({ kind: 'notice', text: `Acknowledged alarm ${alid}.` })
        return this.#try(this.#feed.acknowledge(effect.alarm).then(done))
      }
    }
  }

  /** Work for a key may fail; the screen stays. */
  #try(work: Promise<void>): void {
    work.catch((error: Error) => this.#changed({ kind: 'notice', text: error.message }))
  }

  #tick(): void {
    this.#changed({ kind: 'time', now: this.#clock.date() })
    this.#ticking = this.#clock.at(this.#clock.now() + CLOCK_INTERVAL_MS, () => this.#tick())
  }

  /** Soon, and not more often than an eye can follow. */
  #draw(): void {
    this.#drawing ??= this.#clock.at(this.#clock.now() + DRAW_INTERVAL_MS, () => {
      this.#drawing = undefined
      if (this.#ended.aborted) return
      if (!this.#screen.draw(frame(this.#state, this.#view))) this.#draw()
    })
  }
}

/** Throws where the terminal cannot show the screen. */
export function refuseScreen({ variables: env, stdin, stdout }: Environment): void {
  const hint = 'secsctl top --once; secsctl equipment list; secsctl events tail'
  if (!stdin.isTTY || !stdout.isTTY) throw wrongUsage('top draws on a terminal, and here is none', hint)
  if (env['TERM'] === 'dumb')
    throw wrongUsage('top draws on a terminal that can move its cursor; TERM=dumb cannot', hint)
}
