import { type Session, sessionId } from './session-record.js'

const NAME = 'secsctl-session'

/** What tabs of one browser and one origin tell each other about the login of a user. An API key is never in it. */
export type TabMessage =
  /** A tab without a session asks for one. */
  | { readonly kind: 'ask' }
  /** The session of a tab: one of a login that was just made replaces that of all others. */
  | { readonly kind: 'session'; readonly session: Session; readonly isNew: boolean }
  /** The session with this id has ended: by its user, or because the gateway no longer takes it. */
  | { readonly kind: 'ended'; readonly token: string; readonly isExpired: boolean }

export interface OwnTab {
  readonly session: Session | undefined
  /** The tab has, or had, the API key of a screen: it neither gives nor takes a session. */
  readonly isApart: boolean
}

/** What a tab does when it hears a message. */
export function reactionTo(
  message: TabMessage,
  { session, isApart }: OwnTab,
): 'tell' | 'take' | 'end' | undefined {
  if (isApart || session?.kind === 'key') return undefined
  switch (message.kind) {
    case 'ask':
      return session && 'tell'
    case 'session':
      if (message.session.kind !== 'user' || (session && sessionId(message.session) === sessionId(session)))
        return undefined
      return session && !message.isNew ? undefined : 'take'
    case 'ended':
      return session && message.token === sessionId(session) ? 'end' : undefined
    default:
      return undefined
  }
}

interface Reactions {
  readonly own: () => OwnTab
  readonly take: (session: Session) => void
  readonly end: (isExpired: boolean) => void
}

/** The way from tab to tab. Only pages of the same origin, which includes the port, are on it. */
export class Tabs {
  readonly #channel: BroadcastChannel

  constructor({ own, take, end }: Reactions, name = NAME) {
    this.#channel = new BroadcastChannel(name)
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      const { session } = own()
      const reaction = reactionTo(data, own())
      if (reaction === 'tell' && session) this.tell(session, false)
      else if (reaction === 'take' && data.kind === 'session') take(data.session)
      else if (reaction === 'end' && data.kind === 'ended') end(data.isExpired)
    }
  }

  ask(): void {
    this.#post({ kind: 'ask' })
  }

  /** Tells the session of a user; that of a key stays in its tab. */
  tell(session: Session, isNew: boolean): void {
    if (session.kind === 'user') this.#post({ kind: 'session', session, isNew })
  }

  ended(session: Session, isExpired: boolean): void {
    if (session.kind === 'user') this.#post({ kind: 'ended', token: sessionId(session), isExpired })
  }

  close(): void {
    this.#channel.close()
  }

  #post(message: TabMessage): void {
    this.#channel.postMessage(message)
  }
}
