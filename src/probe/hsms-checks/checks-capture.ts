import { Capture } from '../../hsms/capture/capture.js'
import type { LinkRecord, PassedBytes } from './raw-link.js'
import type { CheckResult } from './run-checks.js'

/** What the connections of checks carried as a capture that Wireshark opens (pcapng), in parts. `name`: of the equipment. */
export function* checksCapture(
  results: readonly Pick<CheckResult, 'links' | 'passed'>[],
  program: string,
  name: string,
): Generator<Uint8Array> {
  const heading = { program, name, description: 'The checks of HSMS', dialler: 'local' } as const
  yield new Capture(heading).begin()
  for (const { links, passed } of results) {
    const captures = new Map(links.map((link) => [link, new Capture(heading)]))
    for (const { link, at, blocks } of inOrder(links, passed)) {
      const capture = captures.get(link)
      if (capture) yield* blocks(capture, at * 1000)
    }
  }
}

interface Step {
  readonly link: LinkRecord
  readonly at: number
  readonly blocks: (capture: Capture, at: number) => Generator<Uint8Array, void>
}

/** In the order of time: when each connection began, which bytes it carried, and when it ended. */
function inOrder(links: readonly LinkRecord[], passed: readonly PassedBytes[]): readonly Step[] {
  const begun = links.map((link): Step => {
    const { local, remote, opened } = link
    return {
      link,
      at: opened,
      blocks: (capture, at) => capture.add({ kind: 'opened', local, remote }, at),
    }
  })
  const ended = links.flatMap((link): readonly Step[] => {
    const { closed, closedBy } = link
    if (closed === undefined) return []
    const record = { kind: 'closed', detail: `closed by ${closedBy}` } as const
    return [{ link, at: closed, blocks: (capture, at) => capture.add(record, at) }]
  })
  // Of the same millisecond the order is kept: the sort is stable.
  return [...begun, ...passed.filter(({ leftOut }) => leftOut === undefined).map(stepOf), ...ended].sort(
    (one, other) => one.at - other.at,
  )
}

function stepOf({ link, at, direction, frame, bytes = new Uint8Array() }: PassedBytes): Step {
  if (frame) {
    const record = { kind: 'frame', direction: direction === 'sent' ? 'out' : 'in', frame } as const
    return { link, at, blocks: (capture, time) => capture.add(record, time) }
  }
  const unreadable = { kind: 'unreadable', bytes, detail: 'no HSMS message' } as const
  return {
    link,
    at,
    blocks: (capture, time) =>
      direction === 'sent' ? capture.sent(bytes, time) : capture.add(unreadable, time),
  }
}
