import { useMemo } from 'preact/hooks'
import type { Event } from '../../../contract/topics/events.js'
import type { Message } from '../../../contract/topics/messages.js'
import { LADDER_STYLE, svgLadder } from '../../../ladder/svg-ladder.js'
import { useArea } from '../../parts/area.js'
import { texts } from '../../texts.js'

/** Messages that are drawn; of more the newest ones. */
const MAX_DRAWN = 60
/** Rem from which there is room for the wide drawing. */
const WIDE = 44

let isStyled = false
/** The style of all ladder diagrams, once. The policy of the page allows no style element. */
function addStyle(): void {
  if (isStyled) return
  isStyled = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(LADDER_STYLE)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/** Messages of one equipment as a ladder diagram. An arrow leads to its message. */
export function Ladder({ events }: { readonly events: readonly Event[] }) {
  addStyle()
  const { element, area } = useArea<HTMLElement>()
  const isNarrow = (area.value?.width ?? WIDE) < WIDE
  const svg = useMemo(() => {
    const messages = events
      .slice(0, MAX_DRAWN)
      .map(({ data, id }) => ({ ...(data as unknown as Message), id }))
    if (messages.length === 0) return ''
    return svgLadder(messages, events[0]?.equipment_name ?? '', {
      href: (id) => `/events?event=${encodeURIComponent(id)}`,
      isStandalone: false,
      isNarrow,
    })
  }, [events, isNarrow])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: svgLadder escapes every text; a test gives it hostile ones.
  return (
    <section
      ref={element}
      class="ladder-panel"
      aria-label={texts.messages.ladder}
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  )
}
