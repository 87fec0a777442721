from corpusguard.second_reader.complaint import ParseError
def read_pdf(data, problems):
    raise ParseError("x")
