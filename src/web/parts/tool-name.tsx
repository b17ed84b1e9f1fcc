/** Characters at the end of a long name that are always shown: names of equipment differ at their ends. */
const TAIL = 10

interface Props {
  readonly name: string
  /** What is shown of the name where a heading has its beginning. */
  readonly shown?: string
}

/** The name of an equipment, cut in its middle where there is no room for it; it is always spoken whole. */
export function ToolName({ name, shown = name }: Props) {
  const characters = [...shown]
  const isLong = characters.length > 2 * TAIL
  if (!isLong && shown === name) return <bdi>{name}</bdi>
  return (
    <>
      <span class="unseen">{name}</span>
      <bdi class="tool-name" aria-hidden="true">
        <span>{characters.slice(0, isLong ? -TAIL : undefined).join('')}</span>
        {isLong && <span>{characters.slice(-TAIL).join('')}</span>}
      </bdi>
    </>
  )
}
