#pragma once

namespace cornu::inline v0::study {

/// page.css, which the page of the documents (tools/documents) has, too.
const char* page_style();

}  // namespace cornu::inline v0::study
