import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { CsvColumn } from '../parts/csv.js'
import { CsvButton } from '../parts/csv-button.js'
import { TablePlace } from '../parts/table-place.js'
import { place, setQuery } from '../shell/router.js'
import { calls } from '../shell/session.js'
import { texts } from '../texts.js'
import { type ApiDocument, found, type Operation, operationsOf, type Shape, typeText } from './document.js'
import { OperationDetails, Type } from './operation.js'
import { Prose } from './prose.js'

const words = texts.api

/** The OpenAPI document, once it is read, or why it cannot be. */
function useDocument(): { readonly document: ApiDocument | undefined; readonly problem: string } {
  const document = useSignal<ApiDocument | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    const left = new AbortController()
    calls
      .request('GET', '/api/docs', { accept: 'application/json' }, left.signal)
      .then(async (response) => {
        document.value = (await response.json()) as ApiDocument
      })
      .catch((error: Error) => {
        if (!left.signal.aborted) problem.value = error.message
      })
    return () => left.abort()
  }, [])
  return { document: document.value, problem: problem.value }
}

/** The API: every operation with its parameters, an example of curl, and a form that tries it. */
export function Api() {
  const { document: api, problem } = useDocument()
  const operations = useMemo(() => (api ? operationsOf(api) : []), [api])
  const search = place.value.query.get('q') ?? ''
  const opened = place.value.query.get('operation') ?? ''
  const shown = useMemo(() => found(operations, search), [operations, search])
  const tags = (api?.tags ?? []).filter(({ name }) => shown.some((one) => one.tags.includes(name)))
  useEffect(() => {
    if (api && opened) window.document.getElementById(opened)?.scrollIntoView({ block: 'start' })
  }, [api])
  if (!api) {
    return (
      <div class="empty">
        <h1>{texts.pages.api}</h1>
        <p>{problem ? texts.failed(problem) : texts.live.connecting}</p>
      </div>
    )
  }
  return (
    <div class="api-page">
      <div class="toolbar">
        <h1>{texts.pages.api}</h1>
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
        />
        <CsvButton name="api" rows={shown} columns={CSV} />
        <span class="toolbar-count" role="status">
          {words.count(shown.length)}
        </span>
        <code>curl {location.origin}/api/docs</code>
      </div>
      <div class="api-columns">
        <Contents tags={tags} />
        <div class="api-operations">
          {tags.map((tag) => (
            <Tag
              key={tag.name}
              tag={tag}
              operations={shown.filter((one) => one.tags.includes(tag.name))}
              opened={opened}
            />
          ))}
          {shown.length === 0 && <p class="empty">{words.noMatch}</p>}
          <section aria-labelledby="schemas">
            <h2 id="schemas" tabIndex={-1}>
              {words.schemas}
            </h2>
            {Object.entries(api.components.schemas).map(([name, schema]) => (
              <Schema key={name} name={name} schema={schema} />
            ))}
          </section>
        </div>
      </div>
    </div>
  )
}

const CSV: readonly CsvColumn<Operation>[] = [
  ['operation', ({ operationId }) => operationId],
  ['method', ({ method }) => method],
  ['path', ({ path }) => path],
  ['summary', ({ summary }) => summary],
]

type ApiTag = ApiDocument['tags'][number]

function Contents({ tags }: { readonly tags: readonly ApiTag[] }) {
  return (
    <nav class="api-contents panel" aria-label={words.contents}>
      <ul>
        {tags.map(({ name }) => (
          <li key={name}>
            <a href={`#tag-${name}`}>{name}</a>
          </li>
        ))}
        <li>
          <a href="#schemas">{words.schemas}</a>
        </li>
      </ul>
    </nav>
  )
}

interface TagProps {
  readonly tag: ApiTag
  readonly operations: readonly Operation[]
  /** The operation that is shown with its details. */
  readonly opened: string
}

function Tag({ tag: { name, description }, operations, opened }: TagProps) {
  return (
    <section aria-labelledby={`tag-${name}`}>
      <h2 id={`tag-${name}`} tabIndex={-1}>
        {name}
      </h2>
      <p class="muted">
        <Prose text={description} />
      </p>
      {operations.map((operation) => (
        <OperationDetails
          key={operation.operationId}
          operation={operation}
          token={calls.token}
          isOpen={operation.operationId === opened}
        />
      ))}
    </section>
  )
}

function Schema({ name, schema }: { readonly name: string; readonly schema: Shape }) {
  const { properties = {}, required = [], description, oneOf = [] } = schema
  return (
    <details id={`schema-${name}`} class="operation">
      <summary>
        <b>{name}</b>
      </summary>
      {description && (
        <p>
          <Prose text={description} />
        </p>
      )}
      {oneOf.map((shape) => (
        <p key={shape.$ref}>
          <Type shape={shape} />
        </p>
      ))}
      <TablePlace name={name}>
        <table class="api-table">
          <tbody>
            {Object.entries(properties).map(([member, shape]) => (
              <tr key={member}>
                <th scope="row">
                  <code>{member}</code>
                  {required.includes(member) && <small> {words.required}</small>}
                </th>
                <td>{typeText(shape)}</td>
                <td>
                  <Prose text={shape.description ?? ''} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePlace>
    </details>
  )
}
