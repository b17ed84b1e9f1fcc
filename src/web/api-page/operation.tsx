import { useSignal } from '@preact/signals'
import { TablePlace } from '../parts/table-place.js'
import { setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { bodyOf, nameOf, type Operation, responsesOf, type Shape, typeText } from './document.js'
import { Prose } from './prose.js'
import { TryIt } from './try-it.js'

const words = texts.api

interface Props {
  readonly operation: Operation
  readonly token: () => string | undefined
  readonly isOpen: boolean
}

/** One operation; what is in it is made when it is opened. */
export function OperationDetails({ operation, token, isOpen }: Props) {
  const wasOpened = useSignal(isOpen)
  const { operationId, method, path, summary } = operation
  return (
    <details
      class="operation"
      id={operationId}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (!currentTarget.open || wasOpened.value) return
        wasOpened.value = true
        setQuery({ operation: operationId })
      }}
    >
      <summary>
        <span class={`method method-${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{' '}
        <span class="operation-summary">{summary}</span>
      </summary>
      {wasOpened.value && <Content operation={operation} token={token} />}
    </details>
  )
}

function Content({ operation, token }: { readonly operation: Operation; readonly token: Props['token'] }) {
  const { description, parameters = [] } = operation
  const body = bodyOf(operation)
  return (
    <div class="operation-content">
      {description && (
        <p>
          <Prose text={description} />
        </p>
      )}
      {parameters.length > 0 && (
        <>
          <h3>{words.parameters}</h3>
          <TablePlace name={words.parameters}>
            <table class="api-table">
              <tbody>
                {parameters.map(({ name, in: where, required, schema, description: said = '' }) => (
                  <tr key={name}>
                    <th scope="row">
                      <code>{name}</code>
                      <small>
                        {' '}
                        {where}
                        {required && `, ${words.required}`}
                      </small>
                    </th>
                    <td>{typeText(schema)}</td>
                    <td>
                      <Prose text={said} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TablePlace>
        </>
      )}
      {body?.shape && (
        <p>
          {words.body} <Type shape={body.shape} />
        </p>
      )}
      <h3>{words.responses}</h3>
      <TablePlace name={words.responses}>
        <table class="api-table">
          <tbody>
            {responsesOf(operation).map(({ status, description: said, shape }) => (
              <tr key={status}>
                <th scope="row">{status}</th>
                <td>
                  <Prose text={said} />
                </td>
                <td>{shape && <Type shape={shape} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePlace>
      <TryIt operation={operation} token={token} />
    </div>
  )
}

/** A type, with a link to its schema where it has one. */
export function Type({ shape }: { readonly shape: Shape }) {
  const ref = shape.$ref ?? shape.items?.$ref
  if (ref === undefined) return <>{typeText(shape)}</>
  const id = `schema-${nameOf(ref)}`
  const open = (): void => {
    const schema = document.getElementById(id)
    if (schema instanceof HTMLDetailsElement) schema.open = true
  }
  return (
    <a href={`#${id}`} onClick={open}>
      {typeText(shape)}
    </a>
  )
}
