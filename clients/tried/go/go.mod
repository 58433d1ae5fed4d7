module tried

go 1.19
