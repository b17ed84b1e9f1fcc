import type { Cancel, Clock } from '../../kit/clock.js'
import type { Environment } from '../environment.js'
import { Failure } from '../errors/failure.js'
import { Feed, type FeedOptions } from './feed.js'
import { frame } from './frame.js'
import { type Key, pressed, type Wish } from './keys.js'
import { onScreen, pageOf } from './list-frame.js'
import { type News, withNews } from './news.js'
import { Screen } from './screen.js'
import type { Look } from './text-cell.js'
import { beginning, type TopState } from './top-state.js'

/** Milliseconds between two drawings, and between two looks at the clock. */
const DRAWING = 50
const SECOND = 1000

export interface LiveTopOptions extends Omit<FeedOptions, 'tell' | 'looking'> {
  readonly look: Look
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** Brings sort and filter into the first state. */
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
  #drawing: Cancel | undefined
  #ticking: Cancel = () => {}
  #interrupted = false

  constructor(readonly options: LiveTopOptions) {
    const { client, clock, input, output } = options
    this.#clock = clock
    this.#state = options.start(beginning(client.options.url, clock.date()))
    this.#screen = new Screen(input, output, {
      key: (key) => this.#pressed(key),
      resized: () => this.#draw(),
      gone: () => this.#over.abort(),
    })
    this.#feed = new Feed({
      ...options,
      tell: (news) => this.#told(news),
      looking: () => ({
        onScreen: onScreen(this.#state, this.#screen.size),
        opened: this.#state.opened,
      }),
    })
  }

  /** Shows the screen until the person quits; true when it was by Ctrl-C. The terminal is as before then. */
  async run(): Promise<boolean> {
    await this.#feed.load()
    const end = (): void => this.#over.abort()
    this.options.signal.addEventListener('abort', end, { once: true })
    if (this.options.signal.aborted) end()
    this.#screen.open()
    this.#tick()
    try {
      await this.#feed.run(this.#over.signal)
    } finally {
      this.#ticking()
      this.#drawing?.()
      this.#screen.close()
    }
    return this.#interrupted
  }

  #told(news: News): void {
    this.#state = withNews(this.#state, news)
    this.#draw()
  }

  #pressed(key: Key): void {
    const { state, wish } = pressed(this.#state, key, pageOf(this.#state, this.#screen.size))
    this.#state = state
    if (wish) this.#grant(wish)
    this.#draw()
  }

  #grant(wish: Wish): void {
    switch (wish.kind) {
      case 'interrupt':
        this.#interrupted = true
        return this.#over.abort()
      case 'quit':
        return this.#over.abort()
      case 'suspend':
        return this.#screen.suspend()
      case 'redraw':
        return this.#screen.forget()
      case 'look':
        return this.#try(this.#feed.look())
      case 'acknowledge': {
        const { alid } = wish.alarm
        const done = (): void => this.#told({ kind: 'notice', text: `Acknowledged alarm ${alid}.` })
        return this.#try(this.#feed.acknowledge(wish.alarm).then(done))
      }
    }
  }

  /** What a key asked for may fail; the screen goes on. */
  #try(work: Promise<void>): void {
    work.catch((error: Error) => this.#told({ kind: 'notice', text: error.message }))
  }

  #tick(): void {
    this.#told({ kind: 'time', now: this.#clock.date() })
    this.#ticking = this.#clock.at(this.#clock.now() + SECOND, () => this.#tick())
  }

  /** Soon, and not more often than an eye can follow. */
  #draw(): void {
    this.#drawing ??= this.#clock.at(this.#clock.now() + DRAWING, () => {
      this.#drawing = undefined
      if (this.#over.signal.aborted) return
      if (!this.#screen.draw(frame(this.#state, this.#screen.size, this.options.look))) this.#draw()
    })
  }
}

/** Says why there can be no screen. */
export function refuseScreen({ variables: env, stdin, stdout }: Environment): void {
  const isTerminal = stdin.isTTY && stdout.isTTY
  const why = !isTerminal
    ? 'top draws on a terminal, and here is none'
    : env['TERM'] === 'dumb'
      ? 'top draws on a terminal that can move its cursor; TERM=dumb cannot'
      : undefined
  if (why !== undefined) {
    throw new Failure('usage', why, 'secsctl top --once; secsctl equipment list; secsctl events tail')
  }
}
