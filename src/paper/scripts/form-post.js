/**
 * The script of the page that posts an authorization response, served at `/assets/form-post.js`. The
 * button is for browsers without scripts: a second press would send the same code again.
 */
const [form] = document.forms
form.submit()
form.querySelector('button').disabled = true
