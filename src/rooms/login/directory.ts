/** `GET /login/with/{id}`: the form of a directory. */
import { leads } from '../../upstreams/index.ts'
import { requireUpstream } from '../upstream-trip.ts'
import { answerSeeOther } from '../visit.ts'
import { showDirectoryForm } from './directory-form.ts'
import { forLogin } from './entered.ts'

/** Only the button of the login page leads to other upstreams. */
export const showUpstreamLogin = forLogin((visit, parts) => {
  const upstream = requireUpstream(visit, parts)
  const { journey, next } = visit
  return leads(upstream)
    ? answerSeeOther(visit, '/login', { journey, next })
    : showDirectoryForm(upstream, visit)
})
