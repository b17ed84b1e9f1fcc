import { DEFAULT_TIMERS } from '../contract/equipment.js'
import { type Entry, words } from './explanation.js'

/** From which moment to which each timer runs, and what it means. */
const TIMERS: Readonly<Record<keyof typeof DEFAULT_TIMERS, readonly [runs: string, text: string]>> = {
  t1: [
    'SECS-I: between two bytes of one block',
    `Intercharacter timeout (SEMI E4). When it expires the block is refused with NAK, and the sender sends it again.
      Single timeouts are noise. Many mean a terminal server or a network that cuts a block into pieces with pauses: lengthen T1, or let the terminal server send at once.
      secsctl wire tail EQ
      secsctl equipment update EQ --timer t1=1s`,
  ],
  t2: [
    'SECS-I: from ENQ to EOT, from EOT to the length byte, and from the last byte of a block to ACK',
    `Protocol timeout (SEMI E4). When it expires the line is asked for again, RTY times; then the connection ends with retry_limit.
      The equipment is off or busy, or the cable is wrong. Where both ends are master, neither answers the ENQ of the other.
      secsctl wire tail EQ
      secsctl equipment update EQ --master host
      secsctl explain retry_limit`,
  ],
  t3: [
    'from a primary with W-bit to its reply',
    `Reply timeout. When it expires that transaction ends as reply_timeout; the connection stays, and a late reply is recorded and dropped.
      Equipment that replies to some messages slowly needs a longer T3. One that never replies needs another remedy: see reply_timeout.
      secsctl equipment update EQ --timer t3=120s
      secsctl explain reply_timeout`,
  ],
  t4: [
    'SECS-I: between two blocks of a message that the gateway receives',
    `Interblock timeout (SEMI E4). When it expires, what has come of the message is dropped; a reply ends as reply_timeout.
      The equipment stopped within a message, or makes pauses between blocks that are longer.
      secsctl wire tail EQ
      secsctl equipment update EQ --timer t4=120s`,
  ],
  t5: [
    'from the end of one attempt to connect to the next',
    `Connect separation. When it expires the active side dials again.
      A shorter T5 finds an equipment sooner after it restarted; some need the pause to free their port.
      secsctl equipment update EQ --timer t5=5s`,
  ],
  t6: [
    'from Select.req, Deselect.req or Linktest.req to its response',
    `Control transaction. When it expires the connection ends.
      See whether anything comes over the wire at all. What accepts TCP and says nothing is often no HSMS port.
      secsctl wire tail EQ
      secsctl equipment update EQ --timer t6=10s`,
  ],
  t7: [
    'from the TCP connection, or Deselect, to SELECTED',
    `Not selected. When it expires the connection ends.
      The side that dialled has to select. An equipment that dials in and never sends Select.req is not set up as active.
      secsctl equipment show EQ
      secsctl wire tail EQ`,
  ],
  t8: [
    'between two chunks of one message',
    `Network intercharacter. When it expires the connection ends. A whole message may take six T8, and 2 ms more for each byte of it that has come.
      The network holds up packets, or the equipment writes messages in pieces. A capture shows which.
      secsctl wire capture EQ --file equipment.pcapng
      secsctl equipment update EQ --timer t8=10s`,
  ],
  linktest: [
    'from one linktest to the next; in linktest mode idle, from the last traffic',
    `How often the gateway sends Linktest.req to check that the equipment is alive. It replies within T6, or the connection ends. 0 turns it off.
      A shorter one finds a dead connection sooner, and keeps one open through a firewall that ends idle connections.
      secsctl equipment update EQ --timer linktest=20s
      secsctl equipment update EQ --linktest-mode idle`,
  ],
  establish: [
    'from an S1F13 that failed to the next',
    `The establish-communications delay (SEMI E30). When it expires S1F13 is sent again.
      See why S1F13 fails rather than ask more often.
      secsctl messages list --equipment EQ --message S1F13 --limit 5`,
  ],
  slow_reply: [
    'from a primary of the gateway to its reply',
    `A limit for health alone: equipment is degraded while half of its last replies take longer. It ends nothing.
      Equipment that is slow by nature needs a longer one.
      secsctl equipment update EQ --timer slow_reply=5s`,
  ],
  presence: [
    'from the last message of the equipment',
    `The presence check: when it expires the gateway sends S1F1. 0 turns it off.
      Equipment that leaves two of them without a reply fails health.
      secsctl equipment update EQ --timer presence=60s`,
  ],
}

/** In seconds; the linktest may also be 0. */
const RANGE = '0.1 to 600 s'

const ALSO: Readonly<Record<string, readonly string[]>> = {
  establish: ['establish communications delay', 'communication delay'],
}

export const TIMER_WORDS: readonly Entry[] = Object.entries(TIMERS).map(([name, [runs, text]]) => ({
  word: /^t\d$/.test(name) ? name.toUpperCase() : name,
  kind: 'timer',
  ...words(text),
  facts: [
    ['runs', runs],
    ['default', `${DEFAULT_TIMERS[name as keyof typeof DEFAULT_TIMERS]} s`],
    ['range', name === 'presence' ? '1 to 86400 s' : RANGE],
  ],
  also: ALSO[name] ?? [],
}))
