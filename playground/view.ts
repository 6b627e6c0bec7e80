/** The view of the playground: its pages are in English alone, for the developers who try the demo. */
import type { Exchange } from '../src/http/exchange.ts'
import { english } from '../src/model/language.ts'
import type { View } from '../src/paper/view.ts'
import { makeView, type ViewNeeds } from '../src/rooms/visit.ts'

/** Links keep the language that was asked for, since they lead to pages of the service. */
export const playgroundView = (exchange: Exchange, needs: ViewNeeds): View => ({
  ...makeView(exchange, needs),
  language: english,
})
