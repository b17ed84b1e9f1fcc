import { texts } from '../texts.js'
import { ToolName } from './tool-name.js'

/** An equipment by its name; equipment that was deleted has none, and no page. */
export function EquipmentLink({ id, name }: { readonly id: string; readonly name: string | null }) {
  if (name === null) return <span class="muted">{texts.deleted(id)}</span>
  return (
    <a href={`/equipment/${encodeURIComponent(id)}`} class="tool-link" title={name}>
      <ToolName name={name} />
    </a>
  )
}
