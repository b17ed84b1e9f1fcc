import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { systemClock } from '../../kit/clock.js'
import { texts } from '../texts.js'
import {
  bodyOf,
  curlOf,
  isDotted,
  type Operation,
  type Parameter,
  type Request,
  requestOf,
} from './document.js'

const words = texts.api
/** Characters of a response that are shown; a stream ends there. */
const MAX_SHOWN = 100_000
const COPIED_MS = 2000

interface Shown {
  readonly status: string
  readonly headers: string
  readonly body: string
  readonly isCut: boolean
}

/** One call at a time, which ends with the form. */
function useCall() {
  const running = useSignal<AbortController | undefined>(undefined)
  const response = useSignal<Shown | undefined>(undefined)
  const problem = useSignal('')
  const left = useRef(new AbortController())
  useEffect(() => () => left.current.abort(), [])
  const send = async (request: Request, token: string | undefined): Promise<void> => {
    const stopped = new AbortController()
    const signal = AbortSignal.any([stopped.signal, left.current.signal])
    running.value = stopped
    response.value = undefined
    problem.value = ''
    try {
      await call(request, token, signal, (part) => {
        response.value = part
      })
    } catch (error) {
      if (!signal.aborted)
        problem.value = texts.failed(
          error instanceof TypeError ? texts.unreachable : (error as Error).message,
        )
    }
    stopped.abort()
    running.value = undefined
  }
  return { running, response, problem, send }
}

/** A form for one call, the call as a command of curl, and the response of the gateway. */
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
  const isRead = method === 'GET'
  const fields = parameters.filter(({ in: where }) => where === 'path' || where === 'query')
  const request = requestOf(operation, values.value, given ? body.value : '')
  const { running, response, problem, send } = useCall()
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    await send(request, ownToken.value.trim() || token())
    isSure.value = false
  }

  return (
    <form class="try-it" onSubmit={(event) => void submit(event)} aria-label={words.tryOf(operationId)}>
      <h3>{words.tryIt}</h3>
      <div class="try-fields">
        {fields.map((parameter) => (
          <ParameterField
            key={parameter.name}
            id={`${operationId}-${parameter.name}`}
            parameter={parameter}
            value={values.value[parameter.name] ?? ''}
            set={(value) => {
              values.value = { ...values.value, [parameter.name]: value }
            }}
          />
        ))}
        <TokenField token={ownToken} />
      </div>
      {given && <BodyField body={body} />}
      <Curl text={curlOf(request, location.origin)} />
      {!isRead && <Sure isSure={isSure} />}
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
      {response.value && <ResponseView response={response.value} />}
    </form>
  )
}

function Sure({ isSure }: { readonly isSure: Signal<boolean> }) {
  return (
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
  )
}

/** A token for this call alone, in place of that of the session. */
function TokenField({ token }: { readonly token: Signal<string> }) {
  return (
    <label class="field">
      <span>{words.token}</span>
      <input
        type="password"
        autocomplete="off"
        placeholder={words.sessionToken}
        value={token.value}
        onInput={({ currentTarget }) => {
          token.value = currentTarget.value
        }}
      />
    </label>
  )
}

function BodyField({ body }: { readonly body: Signal<string> }) {
  return (
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
  )
}

interface FieldProps {
  readonly id: string
  readonly parameter: Parameter
  readonly value: string
  readonly set: (value: string) => void
}

function ParameterField({ id, parameter: { name, required = false, schema }, value, set }: FieldProps) {
  return (
    <label class="field" for={id}>
      <span>
        {name}
        {required && ` (${words.required})`}
      </span>
      {schema.enum ? (
        <select
          id={id}
          required={required}
          value={value}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          <option value="" />
          {schema.enum.map((one) => (
            <option key={String(one)}>{String(one)}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          required={required}
          value={value}
          placeholder={schema.default === undefined ? '' : String(schema.default)}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </label>
  )
}

function Curl({ text }: { readonly text: string }) {
  const copied = useSignal(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(text)
    copied.value = true
    systemClock.at(systemClock.now() + COPIED_MS, () => {
      copied.value = false
    })
  }
  return (
    <div class="curl">
      <pre>{text}</pre>
      <button type="button" onClick={() => void copy()}>
        {copied.value ? words.copied : words.copy}
      </button>
    </div>
  )
}

function ResponseView({ response: { status, headers, body, isCut } }: { readonly response: Shown }) {
  return (
    <div class="response" role="status">
      <b>{status}</b>
      <details>
        <summary>{words.headers}</summary>
        <pre>{headers}</pre>
      </details>
      <textarea
        class="code"
        readOnly
        rows={Math.min(24, body.split('\n').length + 1)}
        aria-label={words.response}
        value={body}
      />
      {isCut && <p class="notice">{words.cut}</p>}
    </div>
  )
}

/** Makes a call, and shows what has come of its response until it ends or is too long to show. */
async function call(
  { method, target, body }: Request,
  token: string | undefined,
  signal: AbortSignal,
  show: (part: Shown) => void,
): Promise<void> {
  if (isDotted(target)) throw new RangeError(words.dotted)
  const began = systemClock.now()
  const response = await fetch(target, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    signal,
    cache: 'no-store',
    credentials: 'omit',
  })
  const partly = (text: string): void => {
    const ms = Math.round(systemClock.now() - began)
    const shown = response.headers.get('content-type')?.includes('json') ? pretty(text) : text
    show({
      status: words.status(response.status, response.statusText, ms),
      headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
      body: shown.slice(0, MAX_SHOWN),
      isCut: text.length > MAX_SHOWN,
    })
  }
  let text = ''
  partly(text)
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true })
    partly(text)
    if (text.length > MAX_SHOWN) return
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
