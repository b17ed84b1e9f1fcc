import { expect, test } from 'vitest'
import type { Session } from '../../src/web/shell/session-record.js'
import { type OwnTab, reactionTo, type TabMessage, Tabs } from '../../src/web/shell/tabs.js'
import { until } from '../support/until.js'

const user = (token: string): Session => ({ token, kind: 'user', name: 'ann@fab.example', role: 'operator' })
const key: Session = { token: 'secsctl_k', kind: 'key', name: 'screen', role: 'viewer' }
const tab = (session?: Session, isApart = false): OwnTab => ({ session, isApart })
const ask: TabMessage = { kind: 'ask' }
const offered: TabMessage = { kind: 'session', session: user('b'), isNew: false }
const login: TabMessage = { kind: 'session', session: user('b'), isNew: true }
const ended: TabMessage = { kind: 'ended', token: 'a', isExpired: false }

test.each([
  ['a question to a tab with a user', ask, tab(user('a')), 'tell'],
  ['a question to a tab without a session', ask, tab(), undefined],
  ['a question to the screen with a key', ask, tab(key), undefined],
  ['a question to a tab that had a key', ask, tab(user('a'), true), undefined],
  ['an offer to a tab without a session', offered, tab(), 'take'],
  ['an offer to a tab with another user', offered, tab(user('a')), undefined],
  ['a login while another user is logged in', login, tab(user('a')), 'take'],
  ['a login that this tab has already', login, tab(user('b')), undefined],
  ['a login beside the screen with a key', login, tab(key), undefined],
  ['a login beside a screen whose key was removed', login, tab(undefined, true), undefined],
  ['a key that is offered', { ...offered, session: key }, tab(), undefined],
  ['the end of this session', ended, tab(user('a')), 'end'],
  ['the end of an earlier session', ended, tab(user('b')), undefined],
  ['the end of a session, beside the screen with a key', ended, tab(key), undefined],
  ['a message of a later version', { kind: 'other' } as unknown as TabMessage, tab(user('a')), undefined],
] as const)('%s', (_, message, own, reaction) => {
  expect(reactionTo(message, own)).toBe(reaction)
})

test('tabs give, replace and end the session of a user, and a key is never sent', async () => {
  const name = `test-${process.pid}`
  const heard: TabMessage[] = []
  const listener = new BroadcastChannel(name)
  listener.onmessage = ({ data }: { data: unknown }) => void heard.push(data as TabMessage)
  const made = [user('a'), undefined, key].map((session) => {
    const own = { session: session as Session | undefined }
    const tabs = new Tabs(
      {
        own: () => tab(own.session),
        take: (taken) => {
          own.session = taken
        },
        end: () => {
          own.session = undefined
        },
      },
      name,
    )
    return { own, tabs }
  })
  const [first, second, screen] = made
  if (!first || !second || !screen) throw new Error('three tabs are made')
  second.tabs.ask()
  await until(async () => second.own.session?.token === 'a')
  second.tabs.tell(user('b'), true)
  await until(async () => first.own.session?.token === 'b')
  first.tabs.ended(user('b'), false)
  second.own.session = user('b')
  await until(async () => second.own.session === undefined)
  screen.tabs.tell(key, true)
  screen.tabs.ended(key, false)
  first.tabs.ask()
  await until(async () => heard.at(-1)?.kind === 'ask')
  expect(screen.own.session).toBe(key)
  expect(JSON.stringify(heard)).not.toContain(key.token)
  listener.close()
  for (const { tabs } of made) tabs.close()
})
