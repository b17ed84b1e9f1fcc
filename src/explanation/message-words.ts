import type { Catalogue } from '../catalogue/catalogue.js'
import { meaningOf } from '../catalogue/codes.js'
import { describeItem } from '../catalogue/description/item-description.js'
import { describeMessage, type MessageDescription } from '../catalogue/description/message-description.js'
import { STREAM_SUBJECTS } from '../catalogue/streams.js'
import { directionOf, formatsText, replyWords, SENDERS, titleOf } from '../catalogue/wording.js'
import { adviceOn } from './code-advice.js'
import { exampleWords } from './example-data.js'
import { type Advice, advice, type Explanation, sentence } from './explanation.js'

/** What to do when equipment reports a fault by stream 9, by the function of that message. */
const S9_ADVICE: Readonly<Record<number, string>> = {
  1: `The equipment has another device ID than its record here. The header in the body has the one that it was sent.
    secsctl equipment show EQ
    secsctl equipment update EQ --device-id 1`,
  3: `The equipment has no message of this stream at all. Look up in its manual what it takes.
    secsctl messages list --equipment EQ --limit 5`,
  5: `The equipment knows the stream, and not this function. Look up in its manual what it takes.
    secsctl messages list --equipment EQ --limit 5`,
  7: `The equipment could not read the body: an item has another format or another place than it expects. Compare what was sent with its manual; its record can name other formats. Some equipment also answers so to a primary without W-bit: send that with W.
    secsctl send EQ 'S1F3 W <L <U4 1001>>.'
    secsctl messages list --equipment EQ --limit 5
    secsctl equipment update EQ --format SVID=U2`,
  9: `The equipment waited for a reply to a primary of its own and gave up. If the gateway did reply, the reply came too late or with other system bytes.
    secsctl messages list --equipment EQ --direction received --limit 10
    secsctl equipment traffic EQ`,
  11: `The body is longer than the equipment takes. Send it in parts, if the message allows that.
    secsctl messages list --equipment EQ --limit 5`,
  13: `The equipment expected a message that belongs to one before, and it did not come: the other half of a transfer, for example.
    secsctl messages list --equipment EQ --limit 5`,
}

/** Commands that send a message, and read or check its reply. */
const SENT_BY: Readonly<Record<string, string>> = {
  S1F3: 'variables show EQ',
  S1F11: 'variables list EQ',
  S1F15: 'equipment offline EQ',
  S1F17: 'equipment online EQ',
  S1F23: 'reports list EQ',
  S2F13: 'constants show EQ',
  S2F15: 'constants set EQ 2002=1300',
  S2F17: 'clock show EQ',
  S2F23: 'traces run EQ 1010 --period 1s --samples 60',
  S2F29: 'constants list EQ',
  S2F31: 'clock set EQ',
  S2F41: 'command EQ START',
  S2F47: 'limits list EQ',
  S5F5: 'alarms defined EQ',
  S6F15: 'reports preview EQ 3010',
  S7F5: 'recipes fetch EQ PPID',
  S7F19: 'recipes list EQ',
  S10F3: "terminal send EQ 'Lot L1 is on hold.'",
}

/** `example`: the words that send it, where the host can. */
function adviceOnMessage(name: string, isSent: boolean, example: string | undefined): Advice {
  const command = SENT_BY[name]
  if (isSent && command !== undefined && example !== undefined)
    return advice(`A command of its own sends it. See its structure, and what would be sent as it is.
      secsctl ${command}
      secsctl catalogue describe ${name}
      secsctl send EQ ${example} --dry-run`)
  if (isSent)
    return advice(
      example === undefined
        ? `See its structure.
          secsctl catalogue describe ${name}`
        : `See its structure, and what would be sent before you send it.
          secsctl catalogue describe ${name}
          secsctl send EQ ${example} --dry-run`,
    )
  return advice(`See its structure, and the last ones that came.
    secsctl catalogue describe ${name}
    secsctl messages list --equipment EQ --message ${name} --limit 5`)
}

const ABORT = `The equipment will not reply to the primary. Most often it is offline, and aborts all but S1F13 and S1F17; or it cannot do this in its state.
  secsctl equipment show EQ
  secsctl equipment online EQ`

/** A message such as S9F7. */
export function messageWord(catalogue: Catalogue, stream: number, fn: number): Explanation | undefined {
  const name = `S${stream}F${fn}`
  if (fn === 0 && stream in STREAM_SUBJECTS) {
    const facts = [['stream', STREAM_SUBJECTS[stream] ?? '']] as const
    return {
      word: name,
      kind: 'message',
      meaning: 'Abort Transaction: the reply of equipment that gives no other.',
      facts,
      ...advice(ABORT),
    }
  }
  const found = describeMessage(catalogue, stream, fn)
  if (!found) return undefined
  const direction = directionOf(found)
  const own = stream === 9 ? S9_ADVICE[fn] : undefined
  const isSent = fn % 2 === 1 && direction !== 'equipment'
  const example = isSent ? exampleWords(catalogue, stream, fn) : undefined
  return {
    word: name,
    kind: 'message',
    meaning: meaningOfMessage(found),
    facts: [
      ['stream', STREAM_SUBJECTS[stream] ?? 'of this site'],
      ['sent', SENDERS[direction]],
      ...replyFacts(catalogue, found),
      ...found.items.map((item) => [item.name, item.meaning] as const),
    ],
    ...(own === undefined ? adviceOnMessage(name, isSent, example) : advice(own)),
  }
}

/** Its title, and who sends it for what; of a secondary, what it replies to. */
function meaningOfMessage(found: MessageDescription): string {
  const title = titleOf(found)
  const { function: fn } = found
  const direction = directionOf(found)
  const sender = { host: 'The host', equipment: 'The equipment', both: 'Either side' }[direction]
  const items = found.items.length === 0 ? ' without a body' : ''
  return fn % 2 === 1
    ? `${title}. ${sender} sends it${items}.`
    : `${title}. ${sender} replies with it${items}.`
}

/** The reply of a primary, or the primary of a reply. */
function replyFacts(catalogue: Catalogue, found: MessageDescription): Explanation['facts'] {
  const { stream, function: fn } = found
  const nameOf = (other: number): string => catalogue.name(stream, other)
  if (fn % 2 === 0) return catalogue.rows(stream, fn - 1).length === 0 ? [] : [['reply to', nameOf(fn - 1)]]
  const words = replyWords(found)
  const hasReply = catalogue.replies(stream, fn) && catalogue.rows(stream, fn + 1).length > 0
  return [['reply', hasReply ? `${words}: ${nameOf(fn + 1)}` : words]]
}

/** A stream such as S9. */
export function streamWord(stream: number): Explanation | undefined {
  const subject = STREAM_SUBJECTS[stream]
  if (subject === undefined) return undefined
  return {
    word: `S${stream}`,
    kind: 'stream',
    meaning: `The messages about ${subject}.`,
    facts: [],
    ...advice(`See which there are.
      secsctl catalogue describe S${stream}`),
  }
}

/** A value of a code, such as HCACK=4. */
export function codeWord(catalogue: Catalogue, name: string, code: number): Explanation | undefined {
  const item = catalogue.item(name)
  if (!item?.values) return undefined
  const accepted = item.accepts?.includes(code)
  return {
    word: `${name}=${code}`,
    kind: `value of ${name}, ${item.meaning}`,
    meaning: sentence(meaningOf(item, code)),
    facts: accepted === undefined ? [] : [['accepted', accepted ? 'yes' : 'no']],
    ...adviceOn(name, code, accepted),
  }
}

/** A data item such as HCACK. */
export function itemWord(catalogue: Catalogue, name: string): Explanation | undefined {
  const found = describeItem(catalogue, name)
  if (!found) return undefined
  const { item, messages } = found
  const codes = Object.entries(item.values ?? {})
  const [first] = codes.slice(-1)
  const describe = `secsctl catalogue describe ${name}`
  return {
    word: name,
    kind: 'data item',
    meaning: sentence(item.meaning),
    facts: [
      ['formats', formatsText(item)],
      ...codes.slice(0, MAX_CODES).map(([code, text]) => [`${name}=${code}`, text] as const),
      ['in', messages.join(' ')],
    ],
    ...(first === undefined
      ? advice(`The messages under "in" use this item.
          ${describe}
          secsctl catalogue describe ${messages[0] ?? 'S1F3'}`)
      : advice(`Each value has an explanation of its own.
          secsctl explain ${name}=${first[0]}
          ${describe}`)),
  }
}

/** More codes than these are only in the catalogue's own description. */
const MAX_CODES = 20
