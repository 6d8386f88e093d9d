headers <- c(Authorization = paste("Bearer", Sys.getenv("EMAIL_ANALYTICS_KEY")))
emails <- read.csv(url("{{address}}/data_api/v1/emails.csv", headers = headers, encoding = "UTF-8"), na.strings = "")
for (name in c("sent_at", "closed_at", "updated_at")) {
  emails[[name]] <- as.POSIXct(as.character(emails[[name]]), format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")
}
emails$sent_on <- as.Date(emails$sent_on)
str(emails)
