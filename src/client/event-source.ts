/** One server-sent event: its fields as they came. */
export interface ServerSentEvent {
  readonly id: string | undefined
  readonly event: string
  /** Undefined where there was none: the event then only says where the stream stands. */
  readonly data: string | undefined
}

/** The longest event that is read, in characters: a message of 16 MiB, which JSON and SML make 17 times as long. */
const MAX_EVENT_LENGTH = 320 * 1024 * 1024

/** Cuts a stream of text into server-sent events, however it was cut on its way. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  let held = 0
  let fields: { id?: string; event?: string; data?: string } = {}
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    held += text.length
    if (held > MAX_EVENT_LENGTH) throw new Error('an event has no end')
    if (!text.includes('\n')) {
      rest.push(text)
      continue
    }
    const lines = (rest.join('') + text).split('\n')
    const unfinished = lines.pop() ?? ''
    rest = [unfinished]
    for (const line of lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))) {
      if (line === '') {
        const { id, event = 'message', data } = fields
        if (id !== undefined || data !== undefined) yield { id, event, data }
        fields = {}
        continue
      }
      const [, name, value = ''] = /^(id|event|data)(?:: ?(.*))?$/s.exec(line) ?? []
      if (name === 'data' && fields.data !== undefined) fields.data += `\n${value}`
      else if (name === 'id' || name === 'event' || name === 'data') fields[name] = value
    }
    held = unfinished.length + (fields.data?.length ?? 0)
  }
}
