import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { systemClock } from '../../kit/clock.js'
import { texts } from '../texts.js'
import { bodyOf, curlOf, type Operation, requestOf } from './document.js'

const words = texts.api
/** Characters of an answer that are shown; a stream ends there. */
const MAX_SHOWN = 100_000
const COPIED_MS = 2000

interface Answered {
  readonly status: string
  readonly headers: string
  readonly body: string
  readonly isCut: boolean
}

/** A form for one call, the call as a command of curl, and what the gateway answered. */
export function TryIt({
  operation,
  token,
}: {
  readonly operation: Operation
  readonly token: () => string | undefined
}) {
  const { operationId, method, parameters = [] } = operation
  const given = bodyOf(operation)
  const values = useSignal<Readonly<Record<string, string>>>({})
  const body = useSignal(given?.example === undefined ? '' : JSON.stringify(given.example, null, 2))
  const ownToken = useSignal('')
  const isSure = useSignal(false)
  const running = useSignal<AbortController | undefined>(undefined)
  const answer = useSignal<Answered | undefined>(undefined)
  const problem = useSignal('')
  const copied = useSignal(false)
  const isRead = method === 'GET'
  const fields = parameters.filter(({ in: where }) => where === 'path' || where === 'query')
  const request = requestOf(operation, values.value, given ? body.value : '')
  const curl = curlOf(request, location.origin)
  const left = useRef(new AbortController())
  useEffect(() => () => left.current.abort(), [])

  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const stopped = new AbortController()
    running.value = stopped
    answer.value = undefined
    problem.value = ''
    const began = systemClock.now()
    const partly = (response: Response, text: string, isCut: boolean): void => {
      const ms = Math.round(systemClock.now() - began)
      const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      const shown = response.headers.get('content-type')?.includes('json') ? pretty(text) : text
      answer.value = {
        status: words.status(response.status, response.statusText, ms),
        headers,
        body: shown.slice(0, MAX_SHOWN),
        isCut,
      }
    }
    try {
      const used = ownToken.value.trim() || token()
      const response = await fetch(request.target, {
        method,
        headers: {
          ...(used && { authorization: `Bearer ${used}` }),
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(request.body !== undefined && { body: request.body }),
        signal: AbortSignal.any([stopped.signal, left.current.signal]),
        cache: 'no-store',
        credentials: 'omit',
      })
      let text = ''
      partly(response, text, false)
      const decoder = new TextDecoder()
      const reader = response.body?.getReader()
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        text += decoder.decode(part.value, { stream: true })
        const isCut = text.length > MAX_SHOWN
        partly(response, text, isCut)
        if (isCut) break
      }
      stopped.abort()
    } catch (error) {
      if (!stopped.signal.aborted && !left.current.signal.aborted)
        problem.value = texts.failed(
          error instanceof TypeError ? texts.unreachable : (error as Error).message,
        )
    }
    running.value = undefined
    isSure.value = false
  }
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(curl)
    copied.value = true
    systemClock.at(systemClock.now() + COPIED_MS, () => {
      copied.value = false
    })
  }

  return (
    <form class="try-it" onSubmit={(event) => void send(event)} aria-label={words.tryOf(operationId)}>
      <h3>{words.tryIt}</h3>
      <div class="try-fields">
        {fields.map(({ name, required = false, schema }) => (
          <label key={name} class="field" for={`${operationId}-${name}`}>
            <span>
              {name}
              {required && ` (${words.required})`}
            </span>
            {schema.enum ? (
              <select
                id={`${operationId}-${name}`}
                required={required}
                value={values.value[name] ?? ''}
                onChange={({ currentTarget }) => {
                  values.value = { ...values.value, [name]: currentTarget.value }
                }}
              >
                <option value="" />
                {schema.enum.map((one) => (
                  <option key={String(one)}>{String(one)}</option>
                ))}
              </select>
            ) : (
              <input
                id={`${operationId}-${name}`}
                required={required}
                value={values.value[name] ?? ''}
                placeholder={schema.default === undefined ? '' : String(schema.default)}
                onInput={({ currentTarget }) => {
                  values.value = { ...values.value, [name]: currentTarget.value }
                }}
              />
            )}
          </label>
        ))}
        <label class="field">
          <span>{words.token}</span>
          <input
            type="password"
            autocomplete="off"
            placeholder={words.sessionToken}
            value={ownToken.value}
            onInput={({ currentTarget }) => {
              ownToken.value = currentTarget.value
            }}
          />
        </label>
      </div>
      {given && (
        <label class="field">
          <span>{words.body}</span>
          <textarea
            class="code"
            rows={Math.min(16, body.value.split('\n').length + 1)}
            spellcheck={false}
            value={body.value}
            onInput={({ currentTarget }) => {
              body.value = currentTarget.value
            }}
          />
        </label>
      )}
      <div class="curl">
        <pre>{curl}</pre>
        <button type="button" onClick={() => void copy()}>
          {copied.value ? words.copied : words.copy}
        </button>
      </div>
      {!isRead && (
        <label class="sure">
          <input
            type="checkbox"
            required
            checked={isSure.value}
            onChange={({ currentTarget }) => {
              isSure.value = currentTarget.checked
            }}
          />{' '}
          {words.sure}
        </label>
      )}
      <div class="dialog-buttons">
        {running.value && (
          <button type="button" onClick={() => running.value?.abort()}>
            {words.stop}
          </button>
        )}
        <button type="submit" class="primary" disabled={running.value !== undefined}>
          {words.send(method)}
        </button>
      </div>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {answer.value && (
        <div class="answer" role="status">
          <b>{answer.value.status}</b>
          <details>
            <summary>{words.headers}</summary>
            <pre>{answer.value.headers}</pre>
          </details>
          <textarea
            class="code"
            readOnly
            rows={Math.min(24, answer.value.body.split('\n').length + 1)}
            aria-label={words.answer}
            value={answer.value.body}
          />
          {answer.value.isCut && <p class="notice">{words.cut}</p>}
        </div>
      )}
    </form>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
